import { Alert, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type Hold, heldAs } from '../../entities/holds/flag-hold.ts';
import { HoldEnd } from '../../entities/holds/hold-end.tsx';
import { holdsQuery } from '../../entities/holds/holds-query.ts';
import { HoldingRun } from '../../entities/runs/holding-run.tsx';
import { formatStart } from '../../ui/dates.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';

interface Props {
  readonly flag: { readonly project: string; readonly name: string };
  readonly hold: Hold;
  /** Whether the flag is configured to be on. */
  readonly configuredOn: boolean;
  /** The name of the environment, where the page does not show it. */
  readonly environment?: string;
  readonly children?: ReactNode;
}

/** Shows a hold on a flag: its effect, holder, duration and reason. */
export function HoldAlert({ flag, hold, configuredOn, environment, children }: Props) {
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
          Since <RelativeTime at={placedAt} format={formatStart} />
          <HoldEnd hold={hold} />
          {heldBy.runId !== null && (
            <>
              , by <RunOfHold flag={flag} hold={hold} runId={heldBy.runId} />
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

/**
 * Shows the run that holds the flag, with the name of its action set. The name comes from the list of holds, because an
 * answer about a flag does not have it.
 */
function RunOfHold({ flag, hold, runId }: Pick<Props, 'flag' | 'hold'> & { readonly runId: number }) {
  const { data } = useQuery(holdsQuery(flag, hold));
  const listed = data?.leases.find(({ id }) => id === hold.id);
  return <HoldingRun id={runId} project={flag.project} actionSetName={listed?.actionSetName ?? null} />;
}
