import { afterEach, describe, expect, it } from 'vitest';
import { author, openTestDatabase } from '#testing/database.ts';
import { createEmptyStorage, engine } from '#testing/server.ts';
import type { Database } from '../database.ts';

describe('the timeline of the database server', () => {
  const cleanUps: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
  });

  /** Returns a function that opens an empty database, as each process does. */
  function givenStorage() {
    const storage = createEmptyStorage();
    cleanUps.push(() => storage.remove());
    return async () => {
      const database = await openTestDatabase(storage);
      cleanUps.push(() => database.close());
      return database;
    };
  }

  const timelineOf = async ({ db }: Database) =>
    (await db.selectFrom('counters').select('timeline').where('name', '=', 'event').executeTakeFirstOrThrow()).timeline;

  /** Stores a timeline as if the server had been promoted since. */
  const storeEarlier = (database: Database) =>
    database.writeQuietly('log epoch', author, async (tx) => {
      await tx.db.updateTable('counters').set({ timeline: '00000000' }).where('name', '=', 'event').execute();
    });

  it.runIf(engine === 'postgres')('begins a new epoch at the next start when the server has another one', async () => {
    const open = givenStorage();
    const [first, second] = [await open(), await open()];
    const now = await timelineOf(first);
    expect([first.recovery, second.recovery, now]).toEqual([
      undefined,
      undefined,
      expect.stringMatching(/^[0-9A-F]{8}$/),
    ]);
    expect(second.feed.epoch).toBe(first.feed.epoch);
    await storeEarlier(first);
    const third = await open();
    expect(third.recovery).toEqual({ before: '00000000', now });
    expect(third.feed.epoch > first.feed.epoch).toBe(true);
    await first.feed.catchUp();
    expect(first.feed.epoch).toBe(third.feed.epoch);
    const fourth = await open();
    expect([fourth.recovery, fourth.feed.epoch]).toEqual([undefined, third.feed.epoch]);
  });

  it.runIf(engine === 'postgres')('begins none when a running process has read the log since', async () => {
    const open = givenStorage();
    const running = await open();
    const now = await timelineOf(running);
    await storeEarlier(running);
    await running.keepTimeline();
    expect(await timelineOf(running)).toBe(now);
    const next = await open();
    expect([next.recovery, next.feed.epoch]).toEqual([undefined, running.feed.epoch]);
  });

  it.runIf(engine === 'sqlite')('is unknown on SQLite, which has none', async () => {
    const database = await givenStorage()();
    await database.keepTimeline();
    expect([database.recovery, await timelineOf(database)]).toEqual([undefined, null]);
  });
});
