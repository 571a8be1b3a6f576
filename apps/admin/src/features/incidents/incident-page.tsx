import { Button, Group, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useEachNewer } from '../../lib/activity.ts';
import { formatDateTime, ownTimeZone } from '../../ui/dates.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint } from '../../ui/text.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { FlagStates } from './flag-states.tsx';
import { IncidentNotes } from './incident-notes.tsx';
import { type Incident, incidentQuery } from './incident-queries.ts';
import { summaryOf } from './incident-summary.ts';
import { IncidentTimeline } from './incident-timeline.tsx';
import { holdWords, lengthOf } from './incident-words.ts';
import { IncidentState } from './incidents-page.tsx';
import { incidentMarkdown } from './markdown.ts';

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
  const markdown = incidentMarkdown(incident, location.href);
  return <ExportButtons name={`incident-${incident.id}`} markdown={markdown} json={incident} />;
}

function Body({ incident }: { readonly incident: Incident }) {
  const { project, startedAt, openHolds, holds } = incident;
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
      <SectionCard title="Summary">
        <List size="sm">
          {summaryOf(incident).map((line) => (
            <List.Item key={line}>{line}</List.Item>
          ))}
        </List>
      </SectionCard>
      <FlagStates perFlag={incident.perFlag} project={project} />
      <IncidentNotes incidentId={incident.id} notes={incident.notes} />
      {holds.length > 0 && <Holds incident={incident} />}
      <IncidentTimeline incident={incident} />
    </Stack>
  );
}

/** The number of holds that are shown at first. */
const fewHolds = 10;

function Holds({ incident: { holds, project } }: { readonly incident: Incident }) {
  const [all, setAll] = useState(false);
  // Holds that are still open come first: a person may have to release them.
  const sorted = holds.toSorted((a, b) => Number(a.end !== null) - Number(b.end !== null));
  return (
    <SectionCard title="Holds" description="Flags that were kept in another state than configured.">
      {sorted.slice(0, all ? holds.length : fewHolds).map((hold) => (
        <div key={hold.id}>
          <Group gap="xs">
            <FlagLink projectId={project} featureName={hold.featureName} />
            <Text size="sm">{holdWords(hold)}</Text>
          </Group>
          <Hint style={{ overflowWrap: 'anywhere' }}>
            {formatDateTime(hold.placedAt)},{' '}
            {hold.end === null ? 'still held' : `${hold.end.how} ${formatDateTime(hold.end.at)} by ${hold.end.by}`}.
            {hold.reason !== null && ` ${hold.reason}`}
          </Hint>
        </div>
      ))}
      {!all && holds.length > fewHolds && (
        <Button variant="default" size="xs" onClick={() => setAll(true)} style={{ alignSelf: 'flex-start' }}>
          Show all {holds.length}
        </Button>
      )}
    </SectionCard>
  );
}
