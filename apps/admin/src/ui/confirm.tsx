import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RouteKey } from '../lib/api.ts';
import { errorMessage } from '../lib/error-messages.ts';
import { useIsShown } from '../lib/is-shown.ts';
import { useInvalidate } from '../lib/use-invalidate.ts';
import { Dialog } from './dialog.tsx';
import { FormError } from './form-error.tsx';
import { useReportError } from './report-error.ts';

interface Props {
  /** A question: "Delete segment?" */
  readonly title: string;
  /** The label of the button that confirms: "Delete segment". */
  readonly action: string;
  /** The consequences of the action. */
  readonly children: ReactNode;
  /** The text that the user must type to confirm an action that cannot be undone. */
  readonly typed?: string;
  /** Whether the action is unavailable; the children say why. */
  readonly disabled?: boolean;
  /** The color of the button. Red for destructive actions. */
  readonly color?: string;
  readonly size?: string;
  readonly run: () => Promise<unknown>;
  /** The mutation key, by which a page can see that the action is in progress. */
  readonly mutationKey?: readonly string[];
  /** The routes whose cached answers are invalidated afterwards. */
  readonly changes: readonly RouteKey[];
  readonly onClose: () => void;
  /** Awaited before cached answers are invalidated, so that it can leave a page whose data has been deleted. */
  readonly onDone?: () => unknown;
}

/** Asks for confirmation of a destructive action. Errors of the server are shown in the dialog. */
export function Confirm({ title, action, children, typed, run, changes, onClose, onDone, ...more }: Props) {
  const { disabled = false, color = 'red', size = 'md', mutationKey } = more;
  const invalidate = useInvalidate();
  const [text, setText] = useState('');
  const isShown = useIsShown();
  const report = useReportError();
  const doing = useMutation({
    mutationFn: run,
    ...(mutationKey && { mutationKey }),
    onError: (error) => {
      if (!isShown()) report(error);
    },
    onSuccess: async () => {
      await onDone?.();
      onClose();
      await invalidate(changes);
    },
  });
  const ready = !disabled && (typed === undefined || text === typed);
  return (
    <Dialog onClose={onClose} title={title} size={size}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          if (ready) doing.mutate();
        }}
      >
        <Stack>
          <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
            {children}
          </Text>
          {typed !== undefined && (
            <TextInput
              label={`Type ${typed} to confirm`}
              labelProps={{ style: { overflowWrap: 'anywhere' } }}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              autoComplete="off"
              data-autofocus
            />
          )}
          <FormError>{doing.error === null ? undefined : errorMessage(doing.error)}</FormError>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose} data-autofocus={typed === undefined || undefined}>
              Cancel
            </Button>
            <Button type="submit" color={color} disabled={!ready} loading={doing.isPending}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
