import type { Incident } from './incident-queries.ts';
import { summaryOf } from './incident-summary.ts';
import { holdWords, markNames, perFlagWords } from './incident-words.ts';
import { timelineOf } from './timeline.ts';

/** Returns an incident as Markdown for a report. Times are ISO 8601 in UTC. */
export function incidentMarkdown(incident: Incident, url: string): string {
  const { title, project, startedAt, lastAt, openHolds, flags, holds, perFlag, notes } = incident;
  return [
    `# ${escaped(title)}`,
    '',
    `- Project: ${escaped(project)}`,
    `- From ${startedAt} to ${lastAt}${openHolds > 0 ? ', flags are still held' : ''}`,
    ...summaryOf(incident).map((line) => `- ${line}`),
    `- Flags: ${flags.map((flag) => `\`${flag}\``).join(', ') || 'none'}`,
    `- ${url}`,
    '',
    ...(perFlag.length === 0 ? [] : ['## Flags', '', ...perFlag.map(flagLine), '']),
    ...(notes.length === 0 ? [] : ['## Notes', '', ...notes.map(noteLine), '']),
    ...(holds.length === 0 ? [] : ['## Holds', '', ...holds.map(holdLine), '']),
    '## Timeline',
    '',
    ...timelineOf(incident).map(({ at, title: what, details, featureName, environment, mark }) => {
      if (mark !== null) return `- ${at} ${markNames[mark]}: ${escaped(details)}`;
      const where = [
        featureName === null ? '' : ` \`${featureName}\``,
        environment === null ? '' : ` in ${environment}`,
      ];
      return `- ${at} ${escaped(what)}${where.join('')} (${escaped(details)})`;
    }),
    ...(incident.truncated
      ? ['', 'The incident is larger: at most its first 1,000 signals, runs and changes are here.']
      : []),
    '',
  ].join('\n');
}

/** Returns what an incident did to a flag, as a line of a list. */
export function flagLine({ featureName, environment, ...state }: Incident['perFlag'][number]): string {
  return `- \`${featureName}\` in ${escaped(environment)}: ${perFlagWords(state)}`;
}

/** Returns a note as a line of a list. */
export function noteLine({ createdAt, createdBy, note }: Incident['notes'][number]): string {
  return `- ${createdAt} ${escaped(createdBy)}: ${escaped(note)}`;
}

function holdLine(hold: Incident['holds'][number]): string {
  const { featureName, placedAt, end, reason } = hold;
  const until = end === null ? 'still held' : `${end.how} ${end.at} by ${escaped(end.by)}`;
  return `- \`${featureName}\` ${escaped(holdWords(hold))}, ${placedAt}, ${until}${reason === null ? '' : `. ${escaped(reason)}`}`;
}

/** Escapes what Markdown and HTML would interpret, and puts the text on one line: senders choose titles. */
export function escaped(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, '\\$&');
}
