import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { serverNow } from '../../lib/server-time.ts';
import { Muted } from '../../ui/text.tsx';
import { CurlCommand } from '../signals/index.ts';
import type { SampleSender } from './use-sample-sender.ts';

/** Offers the commands that send an alert and its end from a terminal, with the token of this page. */
export function SendWithCurl({ sender }: { readonly sender: SampleSender }) {
  const [commands, setCommands] = useState<readonly Command[]>();
  const show = () => {
    const startedAt = new Date(serverNow()).toISOString();
    setCommands((['firing', 'resolved'] as const).flatMap((state) => commandOf(sender, state, startedAt)));
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Button
        size="compact-sm"
        variant="subtle"
        aria-expanded={commands !== undefined}
        onClick={() => (commands === undefined ? show() : setCommands(undefined))}
      >
        {commands === undefined ? 'Send it with curl' : 'Hide the curl commands'}
      </Button>
      {commands?.length === 0 && <Text size="sm">Send the alert once with the button: that creates a token.</Text>}
      {commands !== undefined && commands.length > 0 && (
        <Stack w="100%">
          {commands.map((command) => (
            <CurlCommand key={command.title} method="POST" {...command} />
          ))}
          <Muted>Each alert has a start of its own. Hide and show the commands for another one.</Muted>
        </Stack>
      )}
    </Stack>
  );
}

interface Command {
  readonly title: string;
  readonly url: string;
  readonly token: string;
  readonly body: object;
}

function commandOf(sender: SampleSender, state: 'firing' | 'resolved', startedAt: string): readonly Command[] {
  const request = sender.requestOf(state, startedAt);
  if (request === undefined) return [];
  const title = state === 'firing' ? 'The alert fires' : 'The alert is resolved';
  return [{ ...request, title, token: `Bearer ${request.token}` }];
}
