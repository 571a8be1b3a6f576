import { expect, it } from 'vitest';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { givenTokenOwner } from '#testing/people.ts';
import { createStorage, startServer } from '#testing/server.ts';
import { createActivityRecorder } from './activity-recorder.ts';

it('the last use of accounts, tokens and sessions and failed logins are kept while the database is unavailable', async () => {
  const storage = await createStorage();
  const server = await startServer(storage);
  const { database } = server.app;
  const { db } = database;
  const [first, second] = [await givenTokenOwner(server), await givenTokenOwner(server)];
  const ids = [first.user.id, second.user.id];
  const tokens = db.selectFrom('personal_tokens').where('user_id', 'in', ids).orderBy('user_id');
  const sessions = db.selectFrom('sessions').where('user_id', 'in', ids).orderBy('user_id');
  const users = db.selectFrom('users').where('id', 'in', ids).orderBy('id');
  const away = new Problem('ServiceUnavailableError', 'away');
  const errors: unknown[] = [];
  let isAway = true;
  const writeQuietly: Database['writeQuietly'] = (...write) =>
    isAway ? Promise.reject(away) : database.writeQuietly(...write);
  const recorder = createActivityRecorder({ ...database, writeQuietly }, server.clock, (error) => errors.push(error));
  const [tokenId = 0, otherTokenId = 0] = (await tokens.select('id').execute()).map(({ id }) => id);
  const [sessionId = 0, otherSessionId = 0] = (await sessions.select('id').execute()).map(({ id }) => id);

  const early = server.clock.now() + 1000;
  server.clock.advance(1000);
  recorder.seen(first.user.id, { tokenId });
  recorder.seen(first.user.id, { sessionId });
  recorder.seen(second.user.id, { sessionId: otherSessionId });
  recorder.loginFailed(first.user.id);
  expect(recorder.sessionSeen(sessionId)).toBe(early);
  await recorder.stop();
  expect(errors).toEqual([away]);
  expect(recorder.sessionSeen(sessionId)).toBe(early);

  server.clock.advance(1000);
  recorder.seen(second.user.id, { tokenId: otherTokenId });
  recorder.loginFailed(first.user.id);
  recorder.loginFailed(second.user.id);
  isAway = false;
  await recorder.stop();

  const stored = {
    users: await users.select(['seen_at', 'login_attempts']).execute(),
    tokens: await tokens.select('seen_at').execute(),
    sessions: await sessions.select('seen_at').execute(),
  };
  await server.stop();
  await storage.remove();
  const late = early + 1000;
  expect(stored).toEqual({
    users: [
      { seen_at: early, login_attempts: 2 },
      { seen_at: late, login_attempts: 1 },
    ],
    tokens: [{ seen_at: early }, { seen_at: late }],
    sessions: [{ seen_at: early }, { seen_at: early }],
  });
});
