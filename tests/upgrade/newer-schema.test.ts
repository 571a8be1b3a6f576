import { describe, expect, it } from 'vitest';
import { sql } from '../../apps/server/src/storage/tx.ts';
import { author } from '../../apps/server/testing/database.ts';
import { engine, useServer } from '../../apps/server/testing/server.ts';
import { additions } from '../durability/next-version.ts';
import { contentsOf, givenRichInstance, lastEventOf } from './rich.ts';

/** The driver of PostgreSQL prepares a statement that is used repeatedly, and then reuses its plan. */
const repeatedly = 4;

// SQLite is left out: only one process opens its database, so no newer version can extend the tables meanwhile.
describe.runIf(engine === 'postgres')('a server', () => {
  const server = useServer({ signalEndpointsLimit: 100 });

  it('goes on unchanged while a newer version adds a column to each table, a table and an index', async () => {
    for (let n = 1; n < repeatedly; n++) await givenRichInstance(server());
    const sdkToken = await givenRichInstance(server());
    const lastEvent = await lastEventOf(server());
    const contents = async () => {
      const all = await contentsOf(server(), { lastEvent, sdkToken });
      // The last use of a token is stored with a delay.
      return JSON.parse(JSON.stringify(all, (key, value) => (key === 'seenAt' ? undefined : value)));
    };
    const before = await contents();
    for (let n = 1; n < repeatedly; n++) await contents();

    await server().app.database.writeQuietly('jobs', author, async (tx) => {
      for (const statement of additions) await sql.raw(statement).execute(tx.db);
    });

    expect(await contents()).toEqual(before);
    await givenRichInstance(server());
    expect(server().logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  }, 60_000);
});
