import { Badge, Group, Text, Timeline } from '@mantine/core';
import { IconBroadcast, IconPencil } from '@tabler/icons-react';
import type { Now } from '../../entities/holds/now-queries.ts';
import { RunLink } from '../../entities/runs/run-link.tsx';
import { FlagLink } from '../../ui/flag-link.tsx';
import { TextLink } from '../../ui/link.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint, Muted } from '../../ui/text.tsx';

type Moment = Now['lastHour'][number];

/** The signals and changes of flags of the last hour, newest first. */
export function LastHour({ moments }: { readonly moments: readonly Moment[] }) {
  return (
    <SectionCard
      title="Last hour"
      description={moments.length === 0 ? 'No signals and no changes.' : 'Signals and changes, newest first.'}
      actions={
        <TextLink to="/incidents" size="sm">
          All incidents
        </TextLink>
      }
    >
      <Timeline bulletSize={24} lineWidth={2}>
        {moments.map((moment) => (
          <Timeline.Item
            key={`${moment.kind} ${moment.id}`}
            bullet={
              moment.kind === 'signal' ? <IconBroadcast size={14} aria-hidden /> : <IconPencil size={14} aria-hidden />
            }
            title={moment.kind === 'signal' ? <SignalTitle moment={moment} /> : <ChangeTitle moment={moment} />}
          >
            <Hint component="div">
              <RelativeTime at={moment.at} />, {moment.kind === 'signal' ? `signal of ${moment.by}` : `by ${moment.by}`}
              {moment.runId !== null && (
                <>
                  , <RunLink id={moment.runId}>run {moment.runId}</RunLink>
                </>
              )}
            </Hint>
          </Timeline.Item>
        ))}
      </Timeline>
    </SectionCard>
  );
}

const colors = { firing: 'red', failed: 'red', resolved: 'sea', succeeded: 'sea', pending: 'gray' } as const;

function SignalTitle({ moment: { id, label, state } }: { readonly moment: Moment }) {
  return (
    <Group gap="xs">
      <TextLink to="/history" search={{ received: id }} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {label}
      </TextLink>
      {state !== null && <Badge color={colors[state]}>{state}</Badge>}
    </Group>
  );
}

function ChangeTitle({ moment: { label, type, project, featureName, environment } }: { readonly moment: Moment }) {
  return (
    <Group gap="xs">
      <Text size="sm">{label === type ? label.replaceAll('-', ' ') : label}</Text>
      {featureName !== null && project !== null && <FlagLink projectId={project} featureName={featureName} />}
      {environment !== null && <Muted>in {environment}</Muted>}
    </Group>
  );
}
