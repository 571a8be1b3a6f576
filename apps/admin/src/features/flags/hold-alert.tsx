import { Alert, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RunLink } from '../actions/runs/run-link.tsx';
import { HoldEnd } from '../now/hold-end.tsx';
import type { FlagEnvironment } from './flag-queries.ts';

export type Hold = NonNullable<FlagEnvironment['lease']>;

/** Returns the effect of a hold: "held off", "held at 20 %". */
export function heldAs({ effect, rollout }: Pick<Hold, 'effect' | 'rollout'>): string {
  return effect === 'rollout' ? `held at ${rollout ?? 0} %` : `held ${effect}`;
}

interface Props {
  readonly hold: Hold;
  /** Whether the flag is configured to be on. */
  readonly configuredOn: boolean;
  readonly children?: ReactNode;
}

/** Shows a hold on a flag: its effect, holder, duration and reason. */
export function HoldAlert({ hold, configuredOn, children }: Props) {
  const { placedAt, heldBy, reason } = hold;
  return (
    <Alert
      color="orange"
      icon={<IconLock size={18} aria-hidden />}
      title={`Configured ${configuredOn ? 'on' : 'off'}, ${heldAs(hold)} by ${heldBy.name}`}
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
