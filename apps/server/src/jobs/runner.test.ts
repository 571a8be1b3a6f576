import { expect, it } from 'vitest';
import { author, useDatabase } from '../../testing/database.ts';
import { startJobs } from './runner.ts';

const given = useDatabase();

it('stop() waits for the current job and starts no other', async () => {
  const { database, clock } = given();
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const ran: unknown[] = [];
  const slow = {
    kind: 'slow',
    run: async (_tx: unknown, payload: unknown) => {
      begun.resolve();
      await release.promise;
      ran.push(payload);
      return undefined;
    },
  };
  const jobs = await startJobs(database, clock, [slow], () => undefined);
  await database.writeQuietly('jobs', author, async (tx) => {
    tx.enqueue({ kind: 'slow', payload: 'first' });
    tx.enqueue({ kind: 'slow', payload: 'second' });
  });
  await begun.promise;
  let stopped = false;
  const stopping = jobs.stop().then(() => {
    stopped = true;
  });
  // Wait for a read of the same database, so that the callbacks of all settled promises have run before the check.
  await database.db.selectFrom('jobs').select('id').execute();
  expect(stopped).toBe(false);
  release.resolve();
  await stopping;
  expect(ran).toEqual(['first']);
});
