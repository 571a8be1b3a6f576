import { type Kysely, sql } from 'kysely';
import type { CounterRow } from './tables/events.ts';
import type { Tables } from './tables.ts';

/**
 * Increments a counter by `steps`. Its row stays locked until the transaction ends, so numbers grow in commit order and
 * have no gaps. Returns the last number and the time to store with the numbered rows: `now`, or the previous time when
 * the clock has gone back, so that times never decrease.
 */
export async function advanceCounter(
  db: Kysely<Tables>,
  name: CounterRow['name'],
  steps: number,
  now: number,
): Promise<{ last: number; at: number }> {
  const row = await db
    .updateTable('counters')
    .set({
      value: sql`value + ${steps}`,
      moved_at: sql`case when moved_at > ${now} then moved_at else ${now} end`,
    })
    .where('name', '=', name)
    .returning(['value', 'moved_at'])
    .executeTakeFirstOrThrow();
  return { last: row.value, at: row.moved_at };
}
