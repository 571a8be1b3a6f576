import { Badge, Button, CopyButton, Group, Stack, Text, Timeline } from '@mantine/core';
import { IconBolt, IconBroadcast, IconCopy, IconDownload, IconPencil, IconUser } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEachNewer } from '../../lib/activity.ts';
import { saveFile } from '../../lib/save-file.ts';
import { formatDateTime, ownTimeZone } from '../../ui/dates.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { RunLink } from '../actions/runs/run-link.tsx';
import { type Incident, incidentQuery } from './incident-queries.ts';
import { holdWords, lengthOf } from './incident-words.ts';
import { IncidentState } from './incidents-page.tsx';
import { incidentMarkdown } from './markdown.ts';
import { type Entry, timelineOf } from './timeline.ts';

const route = getRouteApi('/incidents/$incidentId');

/** The page of an incident: its holds, and its signals, runs and changes in order. */
export function IncidentPage() {
  const incidentId = Number(route.useParams().incidentId);
  const incident = useQuery(incidentQuery(incidentId));
  useEachNewer('events', incident.refetch);
  return (
    <Page
      title={incident.data?.title ?? `Incident ${incidentId}`}
      description={
        <TextLink to="/incidents" size="sm">
          All incidents
        </TextLink>
      }
      actions={incident.data !== undefined && <Exports incident={incident.data} />}
    >
      <Loaded query={incident}>{(data) => <Body incident={data} />}</Loaded>
    </Page>
  );
}

function Exports({ incident }: { readonly incident: Incident }) {
  const name = `incident-${incident.id}`;
  return (
    <Group gap="xs">
      <CopyButton value={incidentMarkdown(incident, location.href)} timeout={2000}>
        {({ copied, copy }) => (
          <Button variant="default" leftSection={<IconCopy size={16} aria-hidden />} onClick={copy}>
            {copied ? 'Copied' : 'Copy as Markdown'}
          </Button>
        )}
      </CopyButton>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
        onClick={() => saveFile(`${name}.json`, 'application/json', JSON.stringify(incident, null, 2))}
      >
        Download JSON
      </Button>
    </Group>
  );
}

function Body({ incident }: { readonly incident: Incident }) {
  const { project, startedAt, openHolds, holds, truncated, runs } = incident;
  return (
    <Stack gap="lg">
      <Group gap="sm">
        <IncidentState openHolds={openHolds} />
        <Text size="sm">
          Began {formatDateTime(startedAt)}, {lengthOf(incident)} until its last change, in the project{' '}
          <TextLink to="/projects/$projectId" params={{ projectId: project }} size="sm" underline="always">
            {project}
          </TextLink>
          . Times are in your time zone, {ownTimeZone()}; in the exports, in UTC.
        </Text>
      </Group>
      {holds.length > 0 && <Holds incident={incident} />}
      <SectionCard
        title="Timeline"
        description={
          runs === null
            ? 'Signals and changes in order. You need the permission READ_ACTIONS in the project to see runs.'
            : 'Signals, runs and changes in order. What people did with the flags is marked.'
        }
      >
        <Timeline bulletSize={24} lineWidth={2}>
          {timelineOf(incident).map((entry) => (
            <Timeline.Item key={`${entry.kind} ${entry.id}`} bullet={<Bullet entry={entry} />}>
              <EntryLine entry={entry} project={project} />
            </Timeline.Item>
          ))}
        </Timeline>
        {truncated && (
          <Text size="sm" c="dimmed">
            The incident is larger: these are its first 1,000 changes.
          </Text>
        )}
      </SectionCard>
    </Stack>
  );
}

function Holds({ incident: { holds, project } }: { readonly incident: Incident }) {
  return (
    <SectionCard title="Holds" description="Flags that were kept in another state than configured.">
      {holds.map((hold) => (
        <div key={hold.id}>
          <Group gap="xs">
            <FlagLink projectId={project} featureName={hold.featureName} />
            <Text size="sm">{holdWords(hold)}</Text>
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {formatDateTime(hold.placedAt)},{' '}
            {hold.end === null ? 'still held' : `${hold.end.how} ${formatDateTime(hold.end.at)} by ${hold.end.by}`}.
            {hold.reason !== null && ` ${hold.reason}`}
          </Text>
        </div>
      ))}
    </SectionCard>
  );
}

const icons = { signal: IconBroadcast, run: IconBolt, change: IconPencil } as const;

function Bullet({ entry: { kind, byAutomation } }: { readonly entry: Entry }) {
  const Icon = byAutomation ? icons[kind] : IconUser;
  return <Icon size={14} aria-hidden />;
}

function EntryLine({ entry, project }: { readonly entry: Entry; readonly project: string }) {
  const { kind, id, at, title, details, featureName, environment, byAutomation } = entry;
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
        {environment !== null && (
          <Text size="sm" c="dimmed">
            in {environment}
          </Text>
        )}
        {!byAutomation && (
          <Badge size="sm" variant="light" color="sea" tt="none">
            Not by an action
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" component="div" style={{ overflowWrap: 'anywhere' }}>
        {formatDateTime(at)}, {kind === 'run' ? <RunLink id={id}>{details}</RunLink> : details}
      </Text>
    </>
  );
}
