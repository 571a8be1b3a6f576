import { Alert, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RunLink } from '../actions/runs/run-link.tsx';
import { HoldEnd } from '../now/hold-end.tsx';
import { type Hold, heldAs } from './hold-words.ts';

interface Props {
  readonly hold: Hold;
  /** Whether the flag is configured to be on. */
  readonly configuredOn: boolean;
  /** Names the environment where the page does not. */
  readonly environment?: string;
  readonly children?: ReactNode;
}

/** Shows a hold on a flag: its effect, holder, duration and reason. */
export function HoldAlert({ hold, configuredOn, environment, children }: Props) {
  const { placedAt, heldBy, reason } = hold;
  const state = `${configuredOn ? 'on' : 'off'}, ${heldAs(hold)} by ${heldBy.name}`;
  return (
    <Alert
      color="orange"
      icon={<IconLock size={18} aria-hidden />}
      title={environment === undefined ? `Configured ${state}` : `In ${environment}: configured ${state}`}
    >
      <Stack gap="xs">
        <Text size="sm" component="div">
          Since <RelativeTime at={placedAt} />
          <HoldEnd hold={hold} />
          {heldBy.runId !== null && (
            <>
              , by <RunLink id={heldBy.runId}>run {heldBy.runId}</RunLink> of an action
            </>
          )}
          . SDKs get the held state instead of the configured one.
        </Text>
        {reason !== null && <Text size="sm">{reason}</Text>}
        {children}
      </Stack>
    </Alert>
  );
}
