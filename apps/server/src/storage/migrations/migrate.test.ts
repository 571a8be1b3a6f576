import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { TestClock } from '../../../testing/clock.ts';
import { author, openTestDatabase } from '../../../testing/database.ts';
import { createStorage, engine } from '../../../testing/server.ts';
import type { Database } from '../database.ts';
import { eventDays } from './0092-event-days.ts';
import { postgresDialect, sqliteDialect } from './dialect.ts';
import { migrations } from './migrations.ts';

const all = Object.keys(migrations);
const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function emptyStorage() {
  const storage = createStorage();
  cleanUps.push(() => storage.remove());
  return storage;
}

async function open(storage: ReturnType<typeof createStorage>): Promise<Database> {
  const database = await openTestDatabase(storage);
  cleanUps.push(() => database.close());
  return database;
}

describe('opening a database', () => {
  it('runs every migration once', async () => {
    const storage = emptyStorage();
    const first = await openTestDatabase(storage);
    expect(first.migrated).toEqual(all);
    await first.close();
    const second = await open(storage);
    expect(second.migrated).toEqual([]);
  });

  it('that a newer program has migrated is refused, and nothing is left running', async () => {
    const storage = emptyStorage();
    const database = await openTestDatabase(storage);
    await database.writeQuietly('jobs', author, async (tx) => {
      await sql`insert into schema_migrations (name, timestamp) values ('9999-from-the-future', '2099')`.execute(tx.db);
    });
    await database.close();
    await expect(openTestDatabase(storage)).rejects.toThrow('9999-from-the-future');
  });

  it('that cannot be read leaves nothing running', async () => {
    const storage = emptyStorage();
    const database = await openTestDatabase(storage);
    await database.writeQuietly('jobs', author, async (tx) => {
      await tx.db.deleteFrom('counters').execute();
    });
    await database.close();
    await expect(openTestDatabase(storage)).rejects.toThrow('no result');
    // It can be opened again, so the first attempt holds it no more.
    await expect(openTestDatabase(storage)).rejects.toThrow('no result');
  });

  it.runIf(engine === 'postgres')('by several processes at once migrates it once', async () => {
    const storage = emptyStorage();
    const databases = await Promise.all([1, 2, 3, 4].map(() => open(storage)));
    expect(databases.flatMap(({ migrated }) => migrated)).toEqual(all);
    for (const database of databases) await database.ping();
  });

  it.runIf(engine === 'sqlite')('by a second process is refused until the first has closed it', async () => {
    const storage = emptyStorage();
    const first = await openTestDatabase(storage);
    await expect(openTestDatabase(storage)).rejects.toThrow('is in use by a test');
    await first.ping();
    await first.close();
    await open(storage);
  });

  it('that has events gets the sums of their days', async () => {
    const clock = new TestClock();
    const storage = emptyStorage();
    const database = await openTestDatabase(storage, clock);
    cleanUps.push(() => database.close());
    for (const [project, environment] of [
      ['p', 'e'],
      ['p', null],
      [null, 'e'],
      [null, null],
      ['q', null],
    ] as const) {
      await database.write(author, async (tx) => tx.record({ type: 'feature-created', project, environment }));
      clock.advance(18 * 60 * 60 * 1000);
    }
    const sums = async () =>
      (await database.db.selectFrom('event_days').selectAll().execute()).map((row) => JSON.stringify(row)).toSorted();
    const kept = await sums();
    expect(kept).toHaveLength(5);
    await database.writeQuietly('jobs', author, async (tx) => {
      const statements = eventDays(engine === 'sqlite' ? sqliteDialect : postgresDialect);
      for (const statement of ['drop table event_days', ...statements]) await sql.raw(statement).execute(tx.db);
    });
    expect(await sums()).toEqual(kept);
  });
});
