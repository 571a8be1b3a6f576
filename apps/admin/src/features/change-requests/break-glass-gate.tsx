import { Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { onReviewRequired } from '../../lib/api.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';

type Answer = (reason: string | undefined) => void;

/**
 * Asks for a reason when a change needs review and the user may break glass. With a reason the change is made; without
 * one it stays refused.
 */
export function BreakGlassGate({ children }: { readonly children: ReactNode }) {
  const [question, setQuestion] = useState<{ readonly answer: Answer }>();
  const isOpen = useRef(false);
  useEffect(
    () =>
      onReviewRequired(async () => {
        // One dialog at a time: further refused changes stay refused.
        if (isOpen.current) return undefined;
        isOpen.current = true;
        const reason = await new Promise<string | undefined>((answer) => setQuestion({ answer }));
        isOpen.current = false;
        setQuestion(undefined);
        return reason;
      }),
    [],
  );
  return (
    <>
      {children}
      {question !== undefined && <ReasonDialog answer={question.answer} />}
    </>
  );
}

function ReasonDialog({ answer }: { readonly answer: Answer }) {
  const form = useForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? 'Enter a reason.' : null) },
  });
  const submit = form.onSubmit(({ reason }) => answer(reason.trim()));
  return (
    <FormDialog
      title="Break glass?"
      save="Make the change without review"
      saving={{ submit, pending: false, formError: undefined }}
      onClose={() => answer(undefined)}
      zIndex={1000}
    >
      <Stack gap="xs">
        <Text size="sm">
          Changes here need review. In an emergency you can make this change without review. It is recorded with your
          reason, and listed under Change requests until another person acknowledges it.
        </Text>
        <Textarea
          label="Reason"
          description="For example, the incident."
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
