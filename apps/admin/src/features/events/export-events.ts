import { type LoggedEvent, searchEvents } from '../../entities/events/event-queries.ts';
import { asQuery, type EventSearch } from '../../entities/events/event-search.ts';
import { api } from '../../lib/api.ts';

/** The maximum number of events in an export. Larger exports use the API. */
export const exportedUpTo = 10_000;
const pageOfExport = 1000;

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

/** Records in the event log that events are exported. */
export async function recordExport(search: EventSearch, format: 'json' | 'csv', events: number): Promise<void> {
  const given = Object.entries(asQuery(search)).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value).slice(0, 1000)]],
  );
  await api('POST /api/admin/event-exports', { body: { format, events, filters: Object.fromEntries(given) } });
}
