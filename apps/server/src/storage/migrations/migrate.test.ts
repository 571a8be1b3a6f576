import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { author, openTestDatabase } from '#testing/database.ts';
import { createEmptyStorage, engine } from '#testing/server.ts';
import type { Database } from '../database.ts';
import checksums from './checksums.json' with { type: 'json' };
import { postgresDialect, sqliteDialect } from './dialect.ts';
import { migrations } from './migrations.ts';

const all = Object.keys(migrations);
const cleanUps: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

function emptyStorage() {
  const storage = createEmptyStorage();
  cleanUps.push(() => storage.remove());
  return storage;
}

async function open(storage: ReturnType<typeof createEmptyStorage>): Promise<Database> {
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
    await expect(openTestDatabase(storage)).rejects.toThrow(
      'migrated by a newer version of Yardarm: this version does not know 9999-from-the-future',
    );
  });

  it('of a version before the first release is refused with a message that says what to do', async () => {
    const storage = emptyStorage();
    const database = await openTestDatabase(storage);
    await database.writeQuietly('jobs', author, async (tx) => {
      await sql`delete from schema_migrations`.execute(tx.db);
      await sql`insert into schema_migrations (name, timestamp) values ('0001-events', '2026')`.execute(tx.db);
      await sql`insert into schema_migrations (name, timestamp) values ('0002-signals', '2026')`.execute(tx.db);
    });
    await database.close();
    await expect(openTestDatabase(storage)).rejects.toThrow(
      /before the first release, which this version cannot open. Write .*yardarm pull.*yardarm apply/,
    );
  });

  it('that cannot be read leaves nothing running', async () => {
    const storage = emptyStorage();
    const database = await openTestDatabase(storage);
    await database.writeQuietly('jobs', author, async (tx) => {
      await tx.db.deleteFrom('counters').execute();
    });
    await database.close();
    await expect(openTestDatabase(storage)).rejects.toThrow('The counter of events is missing');
    // The second attempt fails for the same reason, and not because the first attempt still has the database locked.
    await expect(openTestDatabase(storage)).rejects.toThrow('The counter of events is missing');
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
});

describe('a migration that has landed', () => {
  it.each(all)('%s is not edited: databases have run it. Add a migration instead', (name) => {
    expect(checksumOf(name)).toBe((checksums as Record<string, string>)[name]);
  });

  it('has a checksum, and each checksum a migration', () => expect(Object.keys(checksums)).toEqual(all));
});

/** Returns the SHA-256 of a migration's statements for both engines. */
function checksumOf(name: string): string {
  const statements = [sqliteDialect, postgresDialect].map((dialect) => migrations[name]?.(dialect));
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex');
}
