import { Badge, Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { parseExactJson } from '@yardarm/contract/long-number';
import { useState } from 'react';
import type { SignalEndpoint } from '../../entities/signals/signal-queries.ts';
import { ApiError, api } from '../../lib/api.ts';
import { errorMessage } from '../../lib/error-messages.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Payload } from '../../ui/payload.tsx';

interface Props {
  readonly endpoint: SignalEndpoint;
  /** The initial payload. */
  readonly example: unknown;
  readonly onClose: () => void;
}

const firstExample = { type: 'example', data: { status: 'firing' } };

/** Sends a test signal and shows the answer. */
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
      sending.mutate(text.trim() === '' ? {} : parseExactJson(text));
    } catch (error) {
      sending.reset();
      setWrong(`Invalid JSON: ${errorMessage(error)}.`);
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
            The signal is handled like any other signal of <b>{endpoint.name}</b>: matching actions run. The event log
            records that you sent it.
          </Text>
          <Textarea
            label="Body"
            description="Any JSON value. An empty text is sent as an empty object."
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
              <Badge leftSection={<IconCheck size={12} aria-hidden />}>200: accepted</Badge>
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

/** Returns an error as the sender would receive it. */
function answerOf(error: unknown): string {
  return error instanceof ApiError ? `${error.status}: ${error.message}` : errorMessage(error);
}
