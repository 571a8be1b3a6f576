import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { afterEach, expect, it } from 'vitest';
import { createEmptyStorage } from '#testing/server.ts';
import { firstSchema } from './0001-first-schema/index.ts';
import { deliveries } from './0005-deliveries.ts';
import { postgresDialect, sqliteDialect } from './dialect.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];
const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Creates a database without tables. Returns a function that runs a statement on it. */
async function emptyDatabase(): Promise<(statement: string) => Promise<Rows>> {
  const storage = createEmptyStorage();
  cleanUps.push(() => storage.remove());
  const { databaseUrl, databaseSchema } = storage.settings;
  if (databaseUrl === undefined) {
    const database = new DatabaseSync(':memory:');
    cleanUps.push(async () => database.close());
    return async (statement) => database.prepare(statement).all();
  }
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  cleanUps.push(() => client.end());
  await client.query(`create schema "${databaseSchema}"; set search_path to "${databaseSchema}", public`);
  return async (statement) => (await client.query(statement)).rows;
}

const call = (id: number, state: string, due: string) =>
  `insert into action_calls values (${id}, 1, 1, 7, 'run-1-key-${id}', 'POST', 'plain:u', 'plain:{}', 'plain:b', '${state}',
    2, 503, 'The receiver answered 503.', ${due}, 1000, null, 'hash')`;

const stored = [
  `insert into integrations values (1, 'webhook', null, 1, 'plain:{}', '[]', '[]', '[]', 1, 40, 'holder', 99)`,
  `insert into integration_events values (5, 1, 39, 2000, 'success', 'The receiver answered 200.', '{"attempts":1,"status":200}')`,
  `insert into integration_events values (6, 1, 40, 3000, 'failed', 'No answer.', '{"attempts":2,"status":null}')`,
  `insert into action_sets values (1, 'default', 's', null, 1, 1, 1, '[]', null, null, '{}', 0, 0, 0, 1)`,
  `insert into action_runs values (1, 1, 'default', 1, 1, null, 'signal', null, 'started', null, 0, '{}', 1000)`,
  call(1, 'queued', '5000'),
  call(2, 'delivered', 'null'),
  call(3, 'failed', 'null'),
];

it('the migration of deliveries keeps the deliveries of integrations and the calls that wait', async () => {
  const run = await emptyDatabase();
  const dialect = process.env['DATABASE_URL'] === undefined ? sqliteDialect : postgresDialect;
  for (const statement of firstSchema(dialect)) await run(statement);
  // Turn foreign keys off, because the rows below refer to projects and signals that do not exist.
  if (dialect === sqliteDialect) await run('pragma foreign_keys = off');
  else
    for (const { conname, of } of await run(
      "select conname, conrelid::regclass as of from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace",
    ))
      await run(`alter table ${of} drop constraint ${conname}`);
  for (const statement of stored) await run(statement);
  for (const statement of deliveries(dialect)) await run(statement);
  const rows = await run('select * from deliveries order by id');
  const migrated = rows.map((row) =>
    ['integration_id', 'call_id', 'event_id', 'state', 'attempts', 'status', 'next_attempt_at', 'created_at'].map(
      (column) => (row[column] === null ? null : column === 'state' ? row[column] : Number(row[column])),
    ),
  );
  expect(migrated).toEqual([
    [1, null, 39, 'delivered', 1, 200, null, 2000],
    [1, null, 40, 'dead', 2, null, null, 3000],
    [null, 1, null, 'waiting', 2, 503, 5000, 1000],
    [null, 2, null, 'delivered', 2, 503, null, 1000],
    [null, 3, null, 'dead', 2, 503, null, 1000],
  ]);
  expect(rows.slice(2).map((row) => row['message_id'])).toEqual(['run-1-key-1', 'run-1-key-2', 'run-1-key-3']);
  expect(await run('select ordered, cause, signing_keys from integrations')).toMatchObject([
    { cause: 'any', signing_keys: '' },
  ]);
  expect(await run('select * from delivery_health')).toHaveLength(1);
});
