import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { attentionSubject } from '@yardarm/contract/attention';
import { useState } from 'react';
import { Acknowledge } from '../../entities/acknowledgements/acknowledge.tsx';
import type { Flag, FlagEnvironment } from '../../entities/flags/flag-queries.ts';
import { type Hold, heldAs } from '../../entities/holds/flag-hold.ts';
import { holdsQuery } from '../../entities/holds/holds-query.ts';
import { HoldingRun } from '../../entities/runs/holding-run.tsx';
import { formatStart } from '../../ui/dates.ts';
import { Permitted } from '../../ui/permitted.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Strong } from '../../ui/text.tsx';
import { holderAloneText, ReleaseHolds, useHolderAlone, useReleasedWith } from '../now/index.ts';
import { HoldAlert } from './hold-alert.tsx';

interface Props {
  readonly flag: Pick<Flag, 'name' | 'project'>;
  readonly state: FlagEnvironment;
}

/** Shows the holds on a flag in an environment, with buttons that release them. */
export function HoldNotice({ flag, state }: Props) {
  const { lease: hold } = state;
  return hold === null ? null : <Holds flag={flag} state={state} hold={hold} />;
}

function Holds({ flag, state, hold }: Props & { readonly hold: Hold }) {
  const { data } = useQuery(holdsQuery(flag, hold));
  const notInForce = data?.leases.filter((lease) => lease.environment === state.name && lease.id !== hold.id) ?? [];
  const all = [hold, ...notInForce];
  return (
    <HoldAlert flag={flag} hold={hold} configuredOn={state.enabled}>
      <Release flag={flag} state={state} hold={hold} all={all} />
      <Acknowledge
        subjects={all.filter(({ heldBy }) => heldBy.kind !== 'person').map(({ id }) => attentionSubject.hold(id))}
        place={{ project: flag.project, environment: state.name }}
        of={`${flag.name} in ${state.name}`}
      />
      {notInForce.length > 0 && (
        <Stack gap="xs">
          <Strong>
            {notInForce.length === 1 ? '1 more hold, not in force' : `${notInForce.length} more holds, not in force`}
          </Strong>
          {notInForce.map((lease) => (
            <Group key={lease.id} gap="xs">
              <Text size="sm" component="div">
                {heldAs(lease)} by {lease.heldBy.name}
                {lease.heldBy.runId !== null && (
                  <>
                    {' '}
                    (
                    <HoldingRun id={lease.heldBy.runId} project={flag.project} actionSetName={lease.actionSetName} />)
                  </>
                )}{' '}
                since <RelativeTime at={lease.placedAt} format={formatStart} />
                {lease.reason !== null && `: ${lease.reason}`}
              </Text>
              <Release flag={flag} state={state} hold={lease} all={all} />
            </Group>
          ))}
        </Stack>
      )}
    </HoldAlert>
  );
}

interface ReleaseProps extends Pick<Props, 'flag' | 'state'> {
  readonly hold: Hold;
  /** All holds on the flag in the environment. */
  readonly all: readonly Hold[];
}

/** A button that releases a hold after a confirmation, as on the page Now. */
function Release({ flag, state, hold, all }: ReleaseProps) {
  const [isOpen, setIsOpen] = useState(false);
  const releasedWith = useReleasedWith();
  const place = { project: flag.project, environment: state.name };
  const placed = { ...hold, ...place };
  if (useHolderAlone([placed])(placed)) return <Text size="sm">{holderAloneText(placed)}</Text>;
  const releasable = (one: Hold) => ({
    ...one,
    ...place,
    featureName: flag.name,
    actionSetName: null,
    inForce: one.id === state.lease?.id,
    configuredOn: state.enabled,
  });
  return (
    <Group>
      <Permitted needs={releasedWith(hold)} place={place}>
        <Button size="xs" onClick={() => setIsOpen(true)}>
          Release
        </Button>
      </Permitted>
      {isOpen && (
        <ReleaseHolds holds={[releasable(hold)]} listed={all.map(releasable)} onClose={() => setIsOpen(false)} />
      )}
    </Group>
  );
}
