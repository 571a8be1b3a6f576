import { Badge, Button, Card, Group, List, Stack, Text } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { attentionSubject } from '@yardarm/contract/attention';
import { useId, useState } from 'react';
import { Acknowledge } from '../../entities/acknowledgements/acknowledge.tsx';
import { firstOf, type HeldGroup } from '../../entities/holds/held-group.ts';
import { HoldEnd } from '../../entities/holds/hold-end.tsx';
import { effectOf } from '../../entities/holds/hold-words.ts';
import type { Held } from '../../entities/holds/now-queries.ts';
import { reasonOf, useMay } from '../../lib/me.ts';
import { counted } from '../../ui/counted.ts';
import { formatStart } from '../../ui/dates.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Strong } from '../../ui/text.tsx';
import { HoldFacts } from './hold-facts.tsx';
import { holderAloneText, useReleasedWith } from './use-release-rules.ts';

const maxReasons = 3;

interface Props {
  readonly group: HeldGroup;
  /** The holds of the group that the user may release. */
  readonly releasable: readonly Held[];
  readonly onRelease: (holds: readonly Held[]) => void;
}

/** Shows a flag that is held in an environment, with a button that releases all the holds that the user may release. */
export function HeldFlag({ group, releasable, onRelease }: Props) {
  const { holds } = group;
  const [first] = holds;
  return (
    <Card withBorder padding="md">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm">
          <Group gap="xs">
            <IconLock size={18} aria-hidden />
            <FlagLink projectId={first.project} featureName={first.featureName} />
            <Hint>{first.project}</Hint>
          </Group>
          <ReleaseButton group={group} releasable={releasable} onRelease={onRelease} />
        </Group>
        {holds.length === 1 ? (
          <HoldFacts hold={first} onRelease={undefined} />
        ) : (
          <>
            <GroupFacts group={group} />
            <SingleHolds group={group} releasable={releasable} onRelease={onRelease} />
          </>
        )}
        <Acknowledge
          subjects={holds.filter(({ heldBy }) => heldBy.kind !== 'person').map(({ id }) => attentionSubject.hold(id))}
          place={first}
          of={`${first.featureName} in ${first.environment}`}
        />
      </Stack>
    </Card>
  );
}

function ReleaseButton({ group: { holds }, releasable, onRelease }: Props) {
  const [first] = holds;
  const { featureName, environment } = first;
  const may = useMay();
  const releasedWith = useReleasedWith();
  const [all, mine] = [holds.length, releasable.length];
  if (mine === 0)
    return <Hint>{may(releasedWith(first), first) ? holderAloneText(first) : reasonOf(releasedWith(first))}</Hint>;
  const label = all === 1 ? 'Release' : mine === all ? `Release all ${all}` : `Release ${mine} of ${all}`;
  return (
    <Button size="xs" onClick={() => onRelease(releasable)} aria-label={`${label} ${featureName} in ${environment}`}>
      {label}
    </Button>
  );
}

/** Summarizes several holds: the effect in force, the newest reasons, the oldest start and the latest end. */
function GroupFacts({ group: { holds, inForce, since, last, holders, reasons } }: Pick<Props, 'group'>) {
  const [{ environment, configuredOn }] = holds;
  const left = reasons.length - maxReasons;
  return (
    <Stack gap={4}>
      <Group gap="xs">
        <Badge variant="filled" color="orange.4" autoContrast>
          {inForce === undefined ? 'Held' : `Held ${effectOf(inForce)}`}
        </Badge>
        <Text size="sm">
          in {environment}, {counted(holds.length, 'hold')}
        </Text>
      </Group>
      {reasons.length > 0 && (
        <List size="sm" listStyleType="none" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {reasons.slice(0, maxReasons).map((reason) => (
            <List.Item key={reason}>
              <Strong lineClamp={2}>{reason}</Strong>
            </List.Item>
          ))}
          {left > 0 && <List.Item fw={400}>and {left} more</List.Item>}
        </List>
      )}
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        Since <RelativeTime at={since} format={formatStart} />
        <HoldEnd hold={last} />, by {firstOf(holders)}.
      </Text>
      <Hint>When all are released: {configuredOn ? 'on' : 'off'}, as configured.</Hint>
    </Stack>
  );
}

function SingleHolds({ group: { holds }, releasable, onRelease }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const [{ featureName, environment }] = holds;
  const label = `${isOpen ? 'Hide' : 'Show'} ${holds.length} holds`;
  return (
    <>
      <Group gap="md">
        <Button
          variant="default"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`${label} of ${featureName} in ${environment}`}
          onClick={() => setIsOpen(!isOpen)}
        >
          {label}
        </Button>
        <TextLink to="/history" search={{ feature: [featureName] }} size="xs" underline="always">
          History
        </TextLink>
      </Group>
      {isOpen && (
        <Stack id={id} gap="sm">
          {holds.map((hold) => (
            <HoldFacts
              key={hold.id}
              hold={hold}
              onRelease={releasable.includes(hold) ? () => onRelease([hold]) : undefined}
            />
          ))}
        </Stack>
      )}
    </>
  );
}
