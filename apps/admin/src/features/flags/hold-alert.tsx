import { Alert, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { RunLink } from '../actions/runs/run-link.tsx';
import type { FlagEnvironment } from './flag-queries.ts';

export type Lease = NonNullable<FlagEnvironment['lease']>;

/** Returns what a lease does to a flag: "held off", "held at 20 %". */
function heldAs({ effect, rollout }: Lease): string {
  return effect === 'rollout' ? `held at ${rollout ?? 0} %` : `held ${effect}`;
}

interface Props {
  readonly lease: Lease;
  /** Whether the flag is configured on beneath the lease. */
  readonly configuredOn: boolean;
  readonly children?: ReactNode;
}

/** Says that a flag is held in another state than the configured one: by whom, since when, until when and why. */
export function LeaseAlert({ lease, configuredOn, children }: Props) {
  const { placedAt, expiresAt, heldBy, reason } = lease;
  return (
    <Alert
      color="orange"
      icon={<IconLock size={18} aria-hidden />}
      title={`Configured ${configuredOn ? 'on' : 'off'}, ${heldAs(lease)} by ${heldBy.name}`}
    >
      <Stack gap="xs">
        <Text size="sm" component="div">
          Since <RelativeTime at={placedAt} />
          {expiresAt === null ? (
            ', until it is released'
          ) : (
            <>
              , until <RelativeTime at={expiresAt} />
            </>
          )}
          {heldBy.runId !== null && (
            <>
              , by <RunLink id={heldBy.runId}>run {heldBy.runId}</RunLink> of an action
            </>
          )}
          . SDKs get that, whatever is configured here.
        </Text>
        {reason !== null && <Text size="sm">{reason}</Text>}
        {children}
      </Stack>
    </Alert>
  );
}
