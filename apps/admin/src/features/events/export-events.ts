import { type LoggedEvent, searchEvents } from './event-queries.ts';
import type { EventSearch } from './event-search.ts';

/** The maximum number of events in an export. Larger exports use the API. */
export const exportedUpTo = 10_000;
const pageOfExport = 1000;

const columns = ['id', 'createdAt', 'type', 'label', 'createdBy', 'createdByUserId', 'project', 'environment'] as const;

/** Loads all matching events, newest first, up to {@link exportedUpTo}. */
export async function allEvents(search: EventSearch): Promise<readonly LoggedEvent[]> {
  const found = new Map<number, LoggedEvent>();
  let cursor: string | undefined;
  do {
    const { events, nextCursor } = await searchEvents(
      search,
      Math.min(pageOfExport, exportedUpTo - found.size),
      cursor,
    );
    for (const event of events) found.set(event.id, event);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined && found.size < exportedUpTo);
  return [...found.values()];
}

/** Returns events as CSV (RFC 4180). */
export function asCsv(events: readonly LoggedEvent[]): string {
  const header = [...columns, 'featureName', 'signalId', 'runId', 'preData', 'data', 'tags'];
  const rows = events.map((event) => [
    ...columns.map((column) => event[column]),
    event.featureName,
    event.cause.signalId,
    event.cause.runId,
    event.preData === null ? '' : JSON.stringify(event.preData),
    event.data === null ? '' : JSON.stringify(event.data),
    event.tags.map(({ type, value }) => `${type}:${value}`).join(' '),
  ]);
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  const text = String(value ?? '');
  // Spreadsheets run such text as a formula, also after blanks and in full-width characters.
  const safe = typeof value === 'string' && /^[\s\uFEFF]*[=+\-@\t\r＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Downloads a file. */
export function saveFile(name: string, type: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
