import { type Kysely, sql } from 'kysely';
import type { CounterRow } from './tables/events.ts';
import type { Tables } from './tables.ts';

/**
 * Moves a counter by `steps` and holds its row until the transaction ends, so numbers from it are handed out in
 * commit order without gaps. Answers the last number taken and the time to stamp on what gets them: `now`, or
 * the previous time where the clock has gone back, so that time never runs against the numbers.
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
