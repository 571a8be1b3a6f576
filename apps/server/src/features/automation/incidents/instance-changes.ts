import { boldName, type EventType, readableAuthor } from '@yardarm/contract';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';

const settingTypes: readonly EventType[] = ['setting-created', 'setting-updated'];
const startType: EventType = 'server-started';
/** The data of an event of a setting begins with the id of the setting. */
const begins = { freeze: '{"id":"automation.freeze"', maintenance: '{"id":"maintenance.mode"' };

const freezeColumn = jsonColumn('events.data', z.object({ frozen: z.boolean(), reason: z.string().nullable() }));
const maintenanceColumn = jsonColumn('events.data', z.object({ enabled: z.boolean() }));
const startColumn = jsonColumn('events.data', z.object({ version: z.string() }));

type Row = Pick<EventRow, 'id' | 'created_at' | 'type' | 'created_by' | 'data'>;

/**
 * Returns when people froze and resumed all automation, when maintenance began and ended, and when servers started,
 * from an event on and until a time (null: until now), oldest first, as changes of an incident.
 */
export async function instanceChangesDuring(
  db: Db,
  { first, until, limit }: { readonly first: number; readonly until: number | null; readonly limit: number },
) {
  let query = db
    .selectFrom('events')
    .select(['id', 'created_at', 'type', 'created_by', 'data'])
    .where('id', '>', first)
    .where('type', 'in', [startType, ...settingTypes])
    .where((eb) =>
      eb.or([
        eb('type', '=', startType),
        eb('data', 'like', `${begins.freeze}%`),
        eb('data', 'like', `${begins.maintenance}%`),
      ]),
    )
    .orderBy('id')
    .limit(limit);
  if (until !== null) query = query.where('created_at', '<=', until);
  return (await query.execute()).map((row) => ({
    eventId: row.id,
    at: isoTime(row.created_at),
    type: row.type as EventType,
    by: readableAuthor(row.created_by),
    ...summarized(row),
    featureName: null,
    environment: null,
    signalId: null,
    runId: null,
    byAutomation: false,
    mark: 'person' as const,
  }));
}

function summarized(row: Row) {
  const { label, reason = null } = described(row);
  return { label, reason, summary: `${boldName(readableAuthor(row.created_by))}: ${label}` };
}

function described({ id, type, data }: Row): { readonly label: string; readonly reason?: string | null } {
  const text = data ?? '';
  if (type === startType) return { label: `Server started, version ${startColumn.parse(text, id).version}` };
  if (text.startsWith(begins.maintenance))
    return { label: maintenanceColumn.parse(text, id).enabled ? 'Maintenance began' : 'Maintenance ended' };
  const { frozen, reason } = freezeColumn.parse(text, id);
  return { label: frozen ? 'All automation frozen' : 'Automation resumed', reason };
}
