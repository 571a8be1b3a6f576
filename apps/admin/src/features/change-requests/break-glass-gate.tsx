import { Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { whenReviewRefuses } from '../../lib/api.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';
import { usesRoute } from './break-glass-uses.tsx';

interface Asked {
  readonly refusal: string;
  readonly answer: (reason: string | undefined) => void;
}

/**
 * Asks for a reason wherever a change is refused for want of a review to somebody who may break glass. With a reason the
 * change is made; without one the refusal stands.
 */
export function BreakGlassGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Asked>();
  useEffect(
    () =>
      whenReviewRefuses(
        (refusal) =>
          new Promise((resolve) => {
            setAsked({
              refusal,
              answer: (reason) => {
                setAsked(undefined);
                resolve(reason);
                void queries.invalidateQueries({ queryKey: [usesRoute] });
              },
            });
          }),
      ),
    [queries],
  );
  return (
    <>
      {children}
      {asked !== undefined && <ReasonDialog {...asked} />}
    </>
  );
}

function ReasonDialog({ answer }: Asked) {
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? 'Give a reason.' : null) },
  });
  const submit = form.onSubmit(({ reason }) => answer(reason.trim()));
  return (
    <FormDialog
      title="Break glass?"
      save="Make the change without review"
      saving={{ submit, pending: false, refusal: undefined }}
      onClose={() => answer(undefined)}
      zIndex={1000}
    >
      <Stack gap="xs">
        <Text size="sm">
          Changes are reviewed here. In an emergency you can make this change at once. It is recorded with your reason,
          and listed under Change requests until somebody else has looked at it.
        </Text>
        <Textarea
          label="Reason"
          description="Such as the incident that it is for."
          required
          maxLength={1000}
          autosize
          minRows={2}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      </Stack>
    </FormDialog>
  );
}
