import { csvCell } from '@yardarm/contract/event-csv';
import { plainSummary } from '@yardarm/contract/event-summary';
import type { IncidentReport } from './incident-queries.ts';
import { markNames } from './incident-words.ts';
import { escaped, flagLine, noteLine } from './markdown.ts';

type Change = IncidentReport['changes'][number];

/** Returns a report as Markdown. Times are ISO 8601 in UTC. */
export function reportMarkdown({ from, to, incidents, changes, truncated }: IncidentReport, url: string): string {
  return [
    `# Flags from ${from} to ${to}`,
    '',
    `- ${url}`,
    '',
    ...incidents.flatMap(({ title, project, startedAt, lastAt, openHolds, perFlag, notes }) => [
      `## ${escaped(title)}`,
      '',
      `- Project: ${escaped(project)}`,
      `- From ${startedAt} to ${lastAt}${openHolds > 0 ? ', flags are still held' : ''}`,
      ...perFlag.map(flagLine),
      ...notes.map((note) => noteLine(note)),
      '',
    ]),
    '## Changes',
    '',
    ...changes.map(({ at, mark, summary }) => `- ${at} ${markNames[mark]}: ${escaped(plainSummary(summary))}`),
    ...(truncated ? ['', 'There is more: the report has the first 2,000 changes and the newest 100 incidents.'] : []),
    '',
  ].join('\n');
}

const columns: Readonly<Record<string, (change: Change) => unknown>> = {
  eventId: ({ eventId }) => eventId,
  at: ({ at }) => at,
  cause: ({ mark }) => markNames[mark],
  incidentId: ({ incidentId }) => incidentId,
  project: ({ project }) => project,
  flag: ({ featureName }) => featureName,
  environment: ({ environment }) => environment,
  by: ({ by }) => by,
  summary: ({ summary }) => plainSummary(summary),
  reason: ({ reason }) => reason,
};

/** Returns the changes of a report as CSV. */
export function reportCsv({ changes }: IncidentReport): string {
  const rows = changes.map((change) => Object.values(columns).map((read) => csvCell(read(change))));
  return [Object.keys(columns), ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}
