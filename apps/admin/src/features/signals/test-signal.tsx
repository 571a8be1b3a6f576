import { Badge, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../lib/api.ts';
import { messageOf } from '../../lib/problems.ts';
import { Dialog } from '../../ui/over-page.tsx';
import { Payload } from '../../ui/payload.tsx';
import type { SignalEndpoint } from './signal-queries.ts';

interface Props {
  readonly endpoint: SignalEndpoint;
  /** A payload to begin with. */
  readonly example: unknown;
  readonly onClose: () => void;
}

const firstExample = { type: 'example', data: { status: 'firing' } };

/** Sends a signal as a sender would, with what a person writes, and shows what is answered. */
export function TestSignal({ endpoint, example = firstExample, onClose }: Props) {
  const [text, setText] = useState(() => JSON.stringify(example, null, 2));
  const [wrong, setWrong] = useState<string>();
  const sending = useMutation({
    mutationFn: (payload: unknown) =>
      api('POST /api/admin/signal-endpoints/:signalEndpointId/signals', {
        params: { signalEndpointId: endpoint.id },
        body: { payload },
      }),
  });
  const send = () => {
    setWrong(undefined);
    try {
      sending.mutate(text.trim() === '' ? {} : (JSON.parse(text) as unknown));
    } catch (error) {
      sending.reset();
      setWrong(`This is no JSON: ${messageOf(error)}.`);
    }
  };
  return (
    <Dialog onClose={onClose} title="Send a test signal" size="lg" closeOnClickOutside={false}>
      <form
        onSubmit={(submitted) => {
          submitted.preventDefault();
          send();
        }}
      >
        <Stack>
          <Text size="sm">
            It is stored as if a sender had sent it: actions that react to <b>{endpoint.name}</b> react to it. The event
            log tells that you sent it.
          </Text>
          <Textarea
            label="Body"
            description="Any JSON. Empty is an empty object."
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={text}
            onChange={({ currentTarget }) => setText(currentTarget.value)}
            error={wrong ?? (sending.error === null ? undefined : answerOf(sending.error))}
            data-autofocus
          />
          {sending.data !== undefined && (
            <Stack gap="xs" role="status">
              <Badge variant="light" tt="none" leftSection={<IconCheck size={12} aria-hidden />}>
                200: stored
              </Badge>
              <Payload title="Answer" value={sending.data} />
            </Stack>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
            <Button type="submit" loading={sending.isPending}>
              Send
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** A refusal as the sender would get it. */
function answerOf(error: unknown): string {
  return error instanceof ApiError ? `${error.status}: ${error.message}` : messageOf(error);
}
