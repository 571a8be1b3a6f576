import { Badge, Button, Card, Group, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { useLostSince } from '../../lib/connection.ts';
import { reasonOf, useMay } from '../../lib/me.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { HoldingRun } from '../actions/runs/holding-run.tsx';
import { HoldEnd } from './hold-end.tsx';
import { afterReleaseOf, effectOf, releasedWith } from './hold-words.ts';
import type { Held } from './now-queries.ts';
import { ReleaseHolds } from './release-holds.tsx';

/** The flags that are held, with all holds of each and buttons to release them. */
export function HeldFlags({ holds, total }: { readonly holds: readonly Held[]; readonly total: number }) {
  const may = useMay();
  const isLost = useLostSince() !== undefined;
  const [releasing, setReleasing] = useState<readonly Held[]>();
  const mine = holds.filter((hold) => may(releasedWith(hold), hold));
  const flags = [...Map.groupBy(holds, ({ featureName }) => featureName).values()];
  return (
    <SectionCard
      title="Held flags"
      description={
        total === 0
          ? isLost
            ? 'Nothing was held when the connection to the server was lost.'
            : 'Nothing is held: every flag is in its configured state.'
          : 'A hold overrides the configured state of a flag until it ends or is released.'
      }
      actions={
        <Group gap="md">
          <TextLink to="/incidents" size="sm" underline="always">
            What automation did
          </TextLink>
          {flags.length > 1 && mine.length > 1 && (
            <Button variant="default" onClick={() => setReleasing(mine)}>
              Release all {mine.length} holds
            </Button>
          )}
        </Group>
      }
    >
      {flags.map((ofFlag) => (
        <HeldFlag
          key={ofFlag[0]?.featureName}
          holds={ofFlag}
          releasable={ofFlag.filter((hold) => mine.includes(hold))}
          onRelease={setReleasing}
        />
      ))}
      {total > holds.length && (
        <Text size="sm" c="dimmed">
          These are the newest {holds.length} of {total} holds.
        </Text>
      )}
      {releasing !== undefined && <ReleaseHolds holds={releasing} onClose={() => setReleasing(undefined)} />}
    </SectionCard>
  );
}

interface FlagProps {
  /** The holds on one flag. */
  readonly holds: readonly Held[];
  /** The holds that the reader may release. */
  readonly releasable: readonly Held[];
  readonly onRelease: (holds: readonly Held[]) => void;
}

function HeldFlag({ holds, releasable, onRelease }: FlagProps) {
  const [first] = holds;
  if (first === undefined) return null;
  const label = releasable.length === 1 ? 'Release' : `Release all ${releasable.length}`;
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="xs">
            <IconLock size={18} aria-hidden />
            <FlagLink projectId={first.project} featureName={first.featureName} />
            <Text size="xs" c="dimmed">
              {first.project}
            </Text>
          </Group>
          {releasable.length > 0 ? (
            <Button size="xs" onClick={() => onRelease(releasable)} aria-label={`${label} ${first.featureName}`}>
              {label}
            </Button>
          ) : (
            <Text size="xs" c="dimmed">
              {reasonOf(releasedWith(first))}
            </Text>
          )}
        </Group>
        {holds.toSorted(inForceFirst).map((hold) => (
          <HoldFacts
            key={hold.id}
            hold={hold}
            onRelease={holds.length > 1 && releasable.includes(hold) ? () => onRelease([hold]) : undefined}
          />
        ))}
      </Stack>
    </Card>
  );
}

function inForceFirst(a: Held, b: Held): number {
  return Number(b.inForce) - Number(a.inForce);
}

interface FactsProps {
  readonly hold: Held;
  /** Releases this hold alone; absent when the flag has no other. */
  readonly onRelease: (() => void) | undefined;
}

function HoldFacts({ hold, onRelease }: FactsProps) {
  const { environment, inForce, placedAt, heldBy, reason } = hold;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant={inForce ? 'filled' : 'light'} color={inForce ? 'orange.4' : 'gray'} autoContrast tt="none">
          {inForce ? `Held ${effectOf(hold)}` : `Not in force: held ${effectOf(hold)}`}
        </Badge>
        <Text size="sm">in {environment}</Text>
        {onRelease !== undefined && (
          <Button size="compact-xs" variant="default" onClick={onRelease}>
            Release this hold
          </Button>
        )}
      </Group>
      {reason !== null && (
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      )}
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        Since <RelativeTime at={placedAt} />
        <HoldEnd hold={hold} />, by {heldBy.name}
        {heldBy.runId !== null && (
          <>
            {' '}
            (<HoldingRun id={heldBy.runId} project={hold.project} actionSetName={hold.actionSetName} />)
          </>
        )}
        .
      </Text>
      <Text size="xs" c="dimmed">
        When released: {afterReleaseOf(hold)}.{' '}
        <TextLink to="/history" search={{ feature: [hold.featureName] }} size="xs" underline="always">
          History
        </TextLink>
      </Text>
    </Stack>
  );
}
