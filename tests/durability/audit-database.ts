import { expect } from 'vitest';
import type { Query, Storage } from './storage.ts';

/** Checks that ids are 1, 2, 3 … in the order of time and the counter is the last id. Returns the breaches. */
export function checkNumbers(
  what: string,
  rows: { id: number; created_at: number }[],
  counter: number | undefined,
): string[] {
  const broken: string[] = [];
  for (const [index, row] of rows.entries()) {
    if (row.id !== index + 1) return [`${what} ids have a gap or a repeat: ${row.id} stands at place ${index + 1}`];
    const before = rows[index - 1];
    if (before !== undefined && before.created_at > row.created_at)
      broken.push(`${what} ${row.id} is older than the one before`);
  }
  if (counter !== rows.length) broken.push(`the ${what} counter stands at ${counter}, there are ${rows.length}`);
  return broken;
}

/** Checks that the stored totals of events agree with a count. Returns the differences. */
export async function checkTotals(query: Query): Promise<string[]> {
  const counted = (scope: string, column: string) =>
    `select '${scope}' as scope, ${column} as name, count(*) as total from events where ${column} is not null group by ${column}`;
  const difference = (left: string, right: string) => query(`${left} except ${right}`);
  const kept = 'select scope, name, total from event_totals';
  const counts = `select * from (${counted('project', 'project')} union all ${counted('feature', 'feature_name')}) as counts`;
  const wrong = [...(await difference(kept, counts)), ...(await difference(counts, kept))];
  return wrong.map((row) => `event totals differ: ${JSON.stringify(row)}`);
}

/** Checks that every job is complete and none exists twice. Returns the breaches. */
export async function checkJobs(query: Query): Promise<string[]> {
  const rows = await query<{ id: number; kind: string; payload: string; unique_key: string | null }>(
    'select id, kind, payload, unique_key from jobs',
  );
  const broken = rows
    .filter((row) => row.kind === '' || !isJson(row.payload))
    .map((row) => `job ${row.id} is half-written`);
  const keys = rows.flatMap((row) => row.unique_key ?? []);
  return new Set(keys).size === keys.length ? broken : [...broken, 'a job is there twice'];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A parse error is the result.
    return false;
  }
}

/** Runs SQLite's own checks of the file and of the index for text search. Returns the problems. */
export async function checkFile(query: Query, events: number): Promise<string[]> {
  const integrity = await query<{ integrity_check: string }>('pragma integrity_check');
  const broken = integrity.map((row) => row.integrity_check).filter((line) => line !== 'ok');
  for (const row of await query('pragma foreign_key_check')) broken.push(`foreign key: ${JSON.stringify(row)}`);
  await query(`insert into events_text (events_text) values ('integrity-check')`);
  const [indexed] = await query<{ n: number }>('select count(*) as n from events_text_docsize');
  if (indexed?.n !== events) broken.push(`${indexed?.n} of ${events} events are in the text index`);
  return broken;
}

/** Expects that events have no gap, their totals agree with them, and the jobs and the file are whole. */
export async function expectSound(query: Query, engine: Storage['engine']): Promise<void> {
  const events = await query<{ id: number; created_at: number }>('select id, created_at from events order by id');
  const [counter] = await query<{ value: number }>("select value from counters where name = 'event'");
  const broken = [
    ...checkNumbers('event', events, counter?.value),
    ...(await checkTotals(query)),
    ...(await checkJobs(query)),
    ...(engine === 'sqlite' ? await checkFile(query, events.length) : []),
  ];
  expect(broken).toEqual([]);
}
