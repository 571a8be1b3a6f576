import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import { author, openTestDatabase } from '#testing/database.ts';
import { createEmptyStorage } from '#testing/server.ts';
import type { Database } from '../database.ts';
import { holdsOfSets } from './0012-holds-of-sets.ts';
import { postgresDialect, sqliteDialect } from './dialect.ts';

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

/** Opens a database, changes its tables back to their schema before the migration, and stores a hold. */
async function databaseOfBefore(): Promise<Database> {
  const storage = createEmptyStorage();
  cleanUps.push(() => storage.remove());
  const database = await openTestDatabase(storage);
  cleanUps.push(() => database.close());
  await run(database, [
    'drop index feature_leases_by_renewal',
    'drop index feature_leases_by_set',
    'drop index feature_leases_by_holder',
    'drop index action_runs_waiting',
    'alter table feature_leases drop column action_set_id',
    'alter table feature_leases drop column renewed_by_run_id',
    'alter table action_runs drop column waits_until',
    'create unique index feature_leases_by_holder on feature_leases (feature_name, environment, holder_kind, holder_key)',
    "insert into projects (id, name, mode, default_stickiness, created_at, updated_at) values ('default', 'Default', 'open', 'default', 0, 0)",
    "insert into environments (name, type, enabled, protected, sort_order, created_at) values ('development', 'development', 1, 0, 1, 0)",
    "insert into features (name, project, type, stale, impression_data, created_at, created_by_user_id) values ('checkout', 'default', 'release', 0, 0, 0, 0)",
    "insert into feature_environments (feature_name, environment, enabled) values ('checkout', 'development', 1)",
    `insert into feature_leases (id, feature_name, environment, effect, for_everyone, holder_kind, holder_key, run_id,
      placed_by_user_id, placed_by, placed_at) values (7, 'checkout', 'development', 'off', 0, 'run', 'actions', 3, 4, 'robot', 5)`,
  ]);
  return database;
}

function run(database: Database, statements: readonly string[]): Promise<void> {
  return database.writeQuietly('jobs', author, async (tx) => {
    for (const statement of statements) await sql.raw(statement).execute(tx.db);
  });
}

it('keeps the holds of before, without a set, and lets two sets hold a flag under one key', async () => {
  const database = await databaseOfBefore();
  await run(database, holdsOfSets(database.engine === 'postgres' ? postgresDialect : sqliteDialect));
  const holds = () => database.db.selectFrom('feature_leases').select(['id', 'holder_key', 'action_set_id']).execute();
  expect(await holds()).toEqual([{ id: 7, holder_key: 'actions', action_set_id: null }]);
  const insert = (set: number) => `insert into feature_leases (feature_name, environment, effect, for_everyone,
    holder_kind, holder_key, placed_by_user_id, placed_by, placed_at, action_set_id)
    values ('checkout', 'development', 'on', 0, 'run', 'actions', 4, 'robot', 5, ${set})`;
  await run(database, database.engine === 'postgres' ? [`select setval('feature_leases_id_seq', 7)`] : []);
  await run(database, [insert(1), insert(2)]);
  await expect(run(database, [insert(2)])).rejects.toThrow(/unique/i);
  expect(await holds()).toHaveLength(3);
});
