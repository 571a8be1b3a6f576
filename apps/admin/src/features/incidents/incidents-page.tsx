import { Badge, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEachNewer } from '../../lib/activity.ts';
import { counted } from '../../ui/counted.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextLink } from '../../ui/link.tsx';
import { type Column, Listing } from '../../ui/listing.tsx';
import { titleOf } from '../../ui/navigation.ts';
import { Page } from '../../ui/page.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Hint, Muted } from '../../ui/text.tsx';
import { incidentsQuery, type ListedIncident, maxListedIncidents } from './incident-queries.ts';
import { lengthOf } from './incident-words.ts';

/** Lists what automation did, grouped by incident, newest first. */
export function IncidentsPage() {
  const incidents = useQuery(incidentsQuery);
  useEachNewer('events', incidents.refetch);
  const total = incidents.data?.total ?? 0;
  return (
    <Page
      title={titleOf('/incidents')}
      guide="guides/on-call#afterwards-what-did-automation-do"
      actions={
        <Button component={Link} to="/incidents/report" variant="default">
          Last night
        </Button>
      }
      description="What automation did: signals, runs, holds and changes that belong together. An incident ends when its holds have ended and half an hour passes without a change."
    >
      <Listing
        query={incidents}
        rows={incidents.data?.incidents}
        rowKey={({ id }) => id}
        minWidth={300}
        columns={columns}
        empty={
          <EmptyState title="No incidents">
            No action and no safeguard has changed a flag in the projects that you can see.
          </EmptyState>
        }
      />
      {total > maxListedIncidents && (
        <Muted>
          These are the newest {maxListedIncidents} of {total} incidents.
        </Muted>
      )}
    </Page>
  );
}

const columns: readonly Column<ListedIncident>[] = [
  {
    header: 'Incident',
    breaks: 'anywhere',
    cell: ({ id, title, project, flags, flagCount }) => (
      <>
        <TextLink to="/incidents/$incidentId" params={{ incidentId: String(id) }} size="sm" fw={550}>
          {title}
        </TextLink>
        <Hint lineClamp={2} maw={480}>
          {project}
          {flags.length > 0 && `: ${flags.join(', ')}`}
          {flags.length < flagCount && ` (${flags.length} of ${flagCount})`}
        </Hint>
      </>
    ),
  },
  {
    header: 'Started',
    breaks: 'never',
    cell: (incident) => (
      <>
        <RelativeTime at={incident.startedAt} />
        <Hint>{lengthOf(incident)}</Hint>
      </>
    ),
  },
  { header: 'State', cell: ({ openHolds }) => <IncidentState openHolds={openHolds} /> },
  {
    header: 'What happened',
    visibleFrom: 'md',
    cell: ({ signals, runs, changes }) =>
      `${counted(changes, 'change')} by ${counted(runs, 'run')}, from ${counted(signals, 'signal')}`,
  },
];

/** Shows whether an incident still holds flags. */
export function IncidentState({ openHolds }: { readonly openHolds: number }) {
  return openHolds > 0 ? (
    <Badge variant="filled" color="orange.4" autoContrast miw="max-content">
      {counted(openHolds, 'hold')} open
    </Badge>
  ) : (
    <Badge color="gray" miw="max-content">
      Nothing held
    </Badge>
  );
}
