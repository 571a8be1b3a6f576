import { Alert, Badge, Group, Stack, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { signalQuery } from '../../entities/actions/action-queries.ts';
import { TextLink } from '../../ui/link.tsx';
import type { SampleSender, Sent } from './use-sample-sender.ts';

/** Shows a sent signal as the server has stored it, with the fields that the server recognised in it. */
export function SentSignal({ sent }: { readonly sent: Sent }) {
  const { data: signal } = useQuery(signalQuery(sent.id));
  if (signal === undefined || signal === null) return null;
  const { state, title } = signal.normalized ?? {};
  return (
    <Alert color="green" icon={<IconCheck aria-hidden />} role="status" aria-label="Sent signal">
      <Group gap="xs">
        <TextLink to="/integrations/signals" search={{ view: signal.sourceId, signal: sent.id }} size="sm">
          Signal {sent.id}
        </TextLink>
        <Badge color="gray">Test</Badge>
        <Text size="sm">
          Stored. Recognised: <b>{title}</b>, {state}.
        </Text>
      </Group>
    </Alert>
  );
}

/** Says why a sample was not stored. */
export function SendingFailed({ sender }: { readonly sender: SampleSender }) {
  if (sender.error === null) return null;
  return (
    <Stack role="alert">
      <Text size="sm" c="red.8">
        The signal was not stored. {sender.error.message}
      </Text>
    </Stack>
  );
}
