import { Stack, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { onReasonRequired, type ReasonQuestion } from '../../lib/api.ts';
import { FormDialog } from '../../ui/form-drawer.tsx';

interface Asked {
  readonly question: ReasonQuestion;
  readonly answer: (reason: string | undefined) => void;
}

/**
 * Asks for a reason when the server refuses a change without one: to break glass, or because the project requires a
 * reason. With a reason the change is sent again; without a reason it stays refused.
 */
export function ReasonGate({ children }: { readonly children: ReactNode }) {
  const [pending, setAsked] = useState<Asked>();
  const isOpen = useRef(false);
  useEffect(
    () =>
      onReasonRequired(async (question) => {
        // One dialog at a time: further refused changes stay refused.
        if (isOpen.current) return undefined;
        isOpen.current = true;
        const reason = await new Promise<string | undefined>((answer) => setAsked({ question, answer }));
        isOpen.current = false;
        setAsked(undefined);
        return reason;
      }),
    [],
  );
  return (
    <>
      {children}
      {pending !== undefined && <ReasonDialog key={pending.question.message} {...pending} />}
    </>
  );
}

const words = {
  'break-glass': {
    title: 'Break glass?',
    save: 'Make the change without review',
    text: 'Changes here need review. In an emergency you can make this change without review. It is recorded with your reason, and listed under Change requests until another person acknowledges it.',
    longest: 1000,
  },
  'change-reason': {
    title: 'Why do you make this change?',
    save: 'Make the change',
    text: 'The project requires a reason for each change. It is recorded with the change.',
    longest: 500,
  },
} as const;

function ReasonDialog({ question, answer }: Asked) {
  const { title, save, text, longest } = words[question.kind];
  const form = useForm({
    initialValues: { reason: question.reason ?? '' },
    // When the server has refused the last reason, its message names the pattern that the reason does not match.
    initialErrors: question.reason === undefined ? {} : { reason: question.message },
    validate: { reason: (reason) => (reason.trim() === '' ? 'Enter a reason.' : null) },
  });
  // A reason has one line: joins the lines of the text.
  const submit = form.onSubmit(({ reason }) => answer(reason.trim().replaceAll(/\s+/g, ' ')));
  return (
    <FormDialog
      title={title}
      save={save}
      saving={{ submit, pending: false, formError: undefined }}
      onClose={() => answer(undefined)}
      zIndex={1000}
    >
      <Stack gap="xs">
        <Text size="sm">{text}</Text>
        <Textarea
          label="Reason"
          description={
            question.pattern === null ? 'For example, the incident.' : `Must contain a match of ${question.pattern}`
          }
          required
          maxLength={longest}
          autosize
          minRows={2}
          data-autofocus
          {...form.getInputProps('reason')}
        />
      </Stack>
    </FormDialog>
  );
}
