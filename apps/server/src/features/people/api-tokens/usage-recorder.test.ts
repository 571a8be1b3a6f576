import { expect, it } from 'vitest';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { createStorage, startServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';
import { createTokenLookup } from './lookup.ts';
import { createTokenUsageRecorder } from './usage-recorder.ts';

/** No token in memory: each is read from the database. */
const none = { byHash: () => undefined, byId: () => undefined };

it('the last use of a token is kept while the database is unavailable, also beside later uses', async () => {
  const storage = await createStorage();
  const server = await startServer(storage);
  const { database } = server.app;
  const away = new Problem('ServiceUnavailableError', 'away');
  const errors: unknown[] = [];
  let isAway = true;
  const writeQuietly: Database['writeQuietly'] = (...write) =>
    isAway ? Promise.reject(away) : database.writeQuietly(...write);
  const recorder = createTokenUsageRecorder({ ...database, writeQuietly }, server.clock, (error) => errors.push(error));
  const lookup = createTokenLookup(database, none, server.clock, recorder.record);
  const [early, late] = [await givenToken(server), await givenToken(server)];
  await lookup.find(early.secret);
  await recorder.stop();
  expect(errors).toEqual([away]);
  server.clock.advance(1000);
  await lookup.find(late.secret);
  const usedAt = server.clock.now();
  isAway = false;
  await recorder.stop();
  const rows = await database.db
    .selectFrom('api_tokens')
    .select(['id', 'seen_at'])
    .where('seen_at', 'is not', null)
    .where('id', 'in', [early.id, late.id])
    .orderBy('id')
    .execute();
  await server.stop();
  await storage.remove();
  expect(rows).toEqual([
    { id: early.id, seen_at: usedAt },
    { id: late.id, seen_at: usedAt },
  ]);
});

it('the last use of a token stays when another process stores an earlier one', async () => {
  const storage = await createStorage();
  const server = await startServer(storage);
  const { database } = server.app;
  const token = await givenToken(server);
  const [late, early] = [server.clock.now() + 1000, server.clock.now()];
  const use = async (now: number) => {
    const recorder = createTokenUsageRecorder(database, { now: () => now, elapsed: () => now }, () => undefined);
    await createTokenLookup(database, none, server.clock, recorder.record).find(token.secret);
    await recorder.stop();
  };
  await use(late);
  await use(early);
  const { seen_at } = await database.db
    .selectFrom('api_tokens')
    .select('seen_at')
    .where('id', '=', token.id)
    .executeTakeFirstOrThrow();
  await server.stop();
  await storage.remove();
  expect(seen_at).toBe(late);
});
