import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { RouteKey } from '../lib/api.ts';
import { messageOf } from '../lib/problems.ts';
import { Refusal } from './form-drawer.tsx';
import { Dialog } from './over-page.tsx';

interface Props {
  /** A question: "Delete segment?" */
  readonly title: string;
  /** What the button says that does it: "Delete segment". */
  readonly action: string;
  /** What follows from it. */
  readonly children: ReactNode;
  /** What has to be typed, where it cannot be undone. */
  readonly typed?: string;
  /** Whether it cannot be done, as what is told says. */
  readonly disabled?: boolean;
  /** Of the button; red for what takes away. */
  readonly color?: string;
  readonly size?: string;
  readonly run: () => Promise<unknown>;
  /** The routes whose answers are another afterwards. */
  readonly changes: readonly RouteKey[];
  readonly onClose: () => void;
  /** Waited for before what has changed is read anew: it may lead away from a page of what is gone. */
  readonly onDone?: () => unknown;
}

/** Asks before something is done that takes away; what the server has against it is told in the dialog. */
export function Confirm({ title, action, children, typed, run, changes, onClose, onDone, ...look }: Props) {
  const { disabled = false, color = 'red', size = 'md' } = look;
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const doing = useMutation({
    mutationFn: run,
    onSuccess: async () => {
      await onDone?.();
      onClose();
      await Promise.all(changes.map((route) => queries.invalidateQueries({ queryKey: [route] })));
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
          <Refusal>{doing.error === null ? undefined : messageOf(doing.error)}</Refusal>
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
