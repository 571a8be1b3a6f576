import { Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { whenReviewRefuses } from '../../lib/api.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';

type Answer = (reason: string | undefined) => void;

/**
 * Asks for a reason wherever a change is refused because it needs review and the caller may break glass. With a reason the
 * change is made; without one the refusal stands.
 */
export function BreakGlassGate({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<{ readonly answer: Answer }>();
  const isOpen = useRef(false);
  useEffect(
    () =>
      whenReviewRefuses(async () => {
        // One question at a time: what is refused meanwhile stays refused.
        if (isOpen.current) return undefined;
        isOpen.current = true;
        const reason = await new Promise<string | undefined>((answer) => setAsked({ answer }));
        isOpen.current = false;
        setAsked(undefined);
        return reason;
      }),
    [],
  );
  return (
    <>
      {children}
      {asked !== undefined && <ReasonDialog answer={asked.answer} />}
    </>
  );
}

function ReasonDialog({ answer }: { readonly answer: Answer }) {
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
          and listed under Change requests until another person has looked at it.
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
