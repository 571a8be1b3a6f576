import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { plainSummary } from '@yardarm/contract/event-summary';
import { useMemo, useState } from 'react';
import { useEachNewer } from '../../lib/activity.ts';
import { serverNow } from '../../lib/server-time.ts';
import { counted } from '../../ui/counted.ts';
import { DateTimeInput } from '../../ui/date-time-input.tsx';
import { formatDateTime, ownTimeZone } from '../../ui/dates.ts';
import { FlagLink } from '../../ui/flag-link.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Hint, Muted } from '../../ui/text.tsx';
import { ExportButtons } from './export-buttons.tsx';
import { FlagStateLine } from './flag-states.tsx';
import { NoteForm, NoteList } from './incident-notes.tsx';
import { type IncidentReport, reportQuery } from './incident-queries.ts';
import { MarkBadge } from './incident-timeline.tsx';
import { lengthOf } from './incident-words.ts';
import { IncidentState } from './incidents-page.tsx';
import { reportCsv, reportMarkdown } from './report-export.ts';
import { lastNight } from './report-search.ts';
import { withReason } from './timeline.ts';

const route = getRouteApi('/incidents/report');

/** The page of a night: its incidents, and what automation and people changed between two times. */
export function ReportPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const night = useMemo(() => lastNight(new Date(serverNow())), []);
  const { from, to } = { ...night, ...search };
  const report = useQuery(reportQuery(from, to));
  useEachNewer('events', report.refetch);
  const choose = (times: { readonly from?: string; readonly to?: string }) =>
    void navigate({ search: { ...search, ...times }, replace: true });
  return (
    <Page
      title="Last night"
      guide="guides/on-call#last-night-on-one-page"
      description={
        <TextLink to="/incidents" size="sm">
          All incidents
        </TextLink>
      }
      actions={report.data !== undefined && <Exports report={report.data} />}
    >
      <Stack gap="lg">
        <Group align="flex-end">
          <DateTimeInput label="From" value={from} onChange={(value) => value && choose({ from: value })} />
          <DateTimeInput label="To" value={to} onChange={(value) => value && choose({ to: value })} />
          <Muted>In your time zone, {ownTimeZone()}; in the exports, in UTC.</Muted>
        </Group>
        <Loaded query={report}>{(data) => <Body report={data} />}</Loaded>
      </Stack>
    </Page>
  );
}

function Exports({ report }: { readonly report: IncidentReport }) {
  const name = `flags-${report.from.slice(0, 16).replace(':', '')}`;
  const markdown = reportMarkdown(report, location.href);
  return <ExportButtons name={name} markdown={markdown} csv={() => reportCsv(report)} json={report} />;
}

/** The number of flags of an incident that the page names. */
const fewFlags = 5;

function Body({ report: { incidents, changes, truncated } }: { readonly report: IncidentReport }) {
  return (
    <Stack gap="lg">
      <SectionCard title="Incidents" description={`${counted(incidents.length, 'incident')}, the first one first.`}>
        {incidents.map((incident) => (
          <Stack key={incident.id} gap={4}>
            <Group gap="xs">
              <TextLink to="/incidents/$incidentId" params={{ incidentId: String(incident.id) }} size="sm" fw={550}>
                {incident.title}
              </TextLink>
              <IncidentState openHolds={incident.openHolds} />
            </Group>
            <Hint>
              {incident.project}, {formatDateTime(incident.startedAt)}, {lengthOf(incident)}
            </Hint>
            {incident.perFlag.slice(0, fewFlags).map((state) => (
              <FlagStateLine
                key={`${state.featureName} ${state.environment}`}
                state={state}
                project={incident.project}
              />
            ))}
            {incident.perFlag.length > fewFlags && (
              <Hint>
                {fewFlags} of {incident.perFlag.length} flags
              </Hint>
            )}
            <NoteList incidentId={incident.id} notes={incident.notes} />
            <NewNote incidentId={incident.id} />
          </Stack>
        ))}
      </SectionCard>
      <Changes changes={changes} />
      {truncated && <Muted>There is more: the page has the first 2,000 changes and the newest 100 incidents.</Muted>}
    </Stack>
  );
}

function NewNote({ incidentId }: { readonly incidentId: number }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <NoteForm incidentId={incidentId} onSaved={() => setOpen(false)} />;
  return (
    <Button variant="default" size="xs" onClick={() => setOpen(true)} style={{ alignSelf: 'flex-start' }}>
      Write a note
    </Button>
  );
}

/** The number of changes that each step adds. */
const step = 100;

function Changes({ changes }: Pick<IncidentReport, 'changes'>) {
  const [limit, setLimit] = useState(step);
  const hidden = changes.length - limit;
  return (
    <SectionCard title="Changes" description="What actions, plans and safeguards, and people did with flags, in order.">
      {changes.length === 0 && <Text size="sm">None.</Text>}
      {changes
        .slice(0, limit)
        .map(({ eventId, at, label, summary, reason, mark, project, featureName, environment }) => (
          <div key={eventId}>
            <Group gap="xs">
              <MarkBadge mark={mark} />
              <TextLink to="/history" search={{ event: eventId }} size="sm" style={{ overflowWrap: 'anywhere' }}>
                {label}
              </TextLink>
              {featureName !== null && <FlagLink projectId={project} featureName={featureName} />}
              {environment !== null && <Muted>in {environment}</Muted>}
            </Group>
            <Hint style={{ overflowWrap: 'anywhere' }}>
              {formatDateTime(at)}, {withReason(plainSummary(summary), reason)}
            </Hint>
          </div>
        ))}
      {hidden > 0 && (
        <Button variant="default" size="xs" onClick={() => setLimit(limit + step)} style={{ alignSelf: 'flex-start' }}>
          Show {Math.min(step, hidden)} more of {hidden}
        </Button>
      )}
    </SectionCard>
  );
}
