import type { EventType } from '@yardarm/contract';
import { z } from 'zod';
import { isoTime } from '../../kernel/clock.ts';
import { jsonColumn } from '../../storage/json-column.ts';
import type { Db } from '../../storage/tx.ts';

/** The setting of the freeze. */
const settingId = 'automation.freeze';
const settingTypes: readonly EventType[] = ['setting-created', 'setting-updated'];
const freezeColumn = jsonColumn(
  'events.data',
  z.object({ id: z.string(), frozen: z.boolean(), reason: z.string().nullable() }),
);

/**
 * Returns when people froze and resumed all automation, from an event on and until a time (null: until now), oldest
 * first, as changes of an incident.
 */
export async function freezesDuring(
  db: Db,
  { first, until, limit }: { readonly first: number; readonly until: number | null; readonly limit: number },
) {
  let query = db
    .selectFrom('events')
    .select(['id', 'created_at', 'type', 'created_by', 'data'])
    .where('type', 'in', settingTypes)
    .where('id', '>', first)
    // `data` begins with the id of the setting.
    .where('data', 'like', `{"id":"${settingId}"%`)
    .orderBy('id')
    .limit(limit);
  if (until !== null) query = query.where('created_at', '<=', until);
  const rows = await query.execute();
  return rows.map(({ id, created_at, type, created_by, data }) => {
    const { frozen, reason } = freezeColumn.parse(data ?? '', id);
    return {
      eventId: id,
      at: isoTime(created_at),
      type: type as EventType,
      label: frozen ? 'All automation frozen' : 'Automation resumed',
      by: created_by,
      reason,
      featureName: null,
      environment: null,
      signalId: null,
      runId: null,
      byAutomation: false,
    };
  });
}
