import { Button, Chip, Group, Text, Timeline } from '@mantine/core';
import { IconBolt, IconBroadcast, IconPencil, IconShieldCheck, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { RunLink } from '../../entities/runs/run-link.tsx';
import { formatDateTime } from '../../ui/dates.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { TextLink } from '../../ui/link.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint, Muted, SmallBadge } from '../../ui/text.tsx';
import type { Incident } from './incident-queries.ts';
import { markNames } from './incident-words.ts';
import { type Entry, timelineOf } from './timeline.ts';

/** The number of entries that each step adds: an incident of many alerts has thousands of entries. */
const step = 50;

const filters = {
  All: () => true,
  'Failed or skipped': ({ isTrouble }: Entry) => isTrouble,
  Actions: ({ mark }: Entry) => mark === 'action',
  'Plans and safeguards': ({ mark }: Entry) => mark === 'plan',
  People: ({ mark }: Entry) => mark === 'person',
} as const;

/** The signals, runs and changes of an incident in order. The user can filter them, and show more of them. */
export function IncidentTimeline({ incident }: { readonly incident: Incident }) {
  const { project, truncated, runs } = incident;
  const [filter, setFilter] = useState<keyof typeof filters>('All');
  const [limit, setLimit] = useState(step);
  const entries = timelineOf(incident).filter(filters[filter]);
  const hidden = entries.length - limit;
  return (
    <SectionCard
      title="Timeline"
      description={
        runs === null
          ? 'Signals and changes in order. You need the permission READ_ACTIONS in the project to see runs.'
          : 'Signals, runs and changes in order. Each change is marked: action, plan or safeguard, person.'
      }
    >
      <Chip.Group value={filter} onChange={(value) => setFilter(value as keyof typeof filters)}>
        <Group gap="xs" role="group" aria-label="Entries">
          {Object.keys(filters).map((name) => (
            <Chip key={name} value={name} size="xs">
              {name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {entries.length === 0 && <Text size="sm">None.</Text>}
      <Timeline bulletSize={24} lineWidth={2}>
        {entries.slice(0, limit).map((entry) => (
          <Timeline.Item key={`${entry.kind} ${entry.id}`} bullet={<Bullet entry={entry} />}>
            <EntryLine entry={entry} project={project} />
          </Timeline.Item>
        ))}
      </Timeline>
      {hidden > 0 && (
        <Button variant="default" size="xs" onClick={() => setLimit(limit + step)} style={{ alignSelf: 'flex-start' }}>
          Show {Math.min(step, hidden)} more of {hidden}
        </Button>
      )}
      {truncated && hidden <= 0 && (
        <Muted>The incident is larger: at most its first 1,000 signals, runs and changes are here.</Muted>
      )}
    </SectionCard>
  );
}

const icons = { signal: IconBroadcast, run: IconBolt, change: IconPencil } as const;
const markIcons = { action: IconBolt, plan: IconShieldCheck, person: IconUser } as const;
const markColors = { action: 'gray', plan: 'orange', person: 'sea' } as const;

function Bullet({ entry: { kind, mark } }: { readonly entry: Entry }) {
  const Icon = mark === null ? icons[kind] : markIcons[mark];
  return <Icon size={14} aria-hidden />;
}

/** Shows what caused a change. */
export function MarkBadge({ mark }: { readonly mark: NonNullable<Entry['mark']> }) {
  return <SmallBadge color={markColors[mark]}>{markNames[mark]}</SmallBadge>;
}

function EntryLine({ entry, project }: { readonly entry: Entry; readonly project: string }) {
  const { kind, id, at, title, details, featureName, environment, mark } = entry;
  return (
    <>
      <Group gap="xs">
        {kind === 'signal' ? (
          <TextLink to="/history" search={{ received: id }} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </TextLink>
        ) : (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
        )}
        {featureName !== null && <FlagLink projectId={project} featureName={featureName} />}
        {environment !== null && <Muted>in {environment}</Muted>}
        {mark !== null && <MarkBadge mark={mark} />}
      </Group>
      <Hint component="div" style={{ overflowWrap: 'anywhere' }}>
        {formatDateTime(at)}, {kind === 'run' ? <RunLink id={id}>{details}</RunLink> : details}
      </Hint>
    </>
  );
}
