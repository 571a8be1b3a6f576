import { expect, it } from 'vitest';
import { author, useDatabase } from '#testing/database.ts';
import { createJobs } from './runner.ts';

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
  const jobs = createJobs(database, clock, [slow], () => undefined);
  await jobs.start();
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

it('a job that records events does not wait until a job that is due again at once has ended', async () => {
  const { database, clock } = given();
  const ran: string[] = [];
  await database.writeQuietly('jobs', author, async (tx) => {
    tx.enqueue({ kind: 'deletes-much' });
    tx.enqueue({ kind: 'watches' });
  });
  const jobs = createJobs(
    database,
    clock,
    [
      {
        kind: 'deletes-much',
        run: async (tx) => {
          ran.push('deletes');
          return ran.length < 10 ? tx.now : undefined;
        },
      },
      { kind: 'watches', records: true, run: async () => void ran.push('watches') },
    ],
    (error) => {
      throw error;
    },
  );
  await jobs.start();
  await jobs.runDue();
  await jobs.stop();
  expect(ran.filter((name) => name === 'watches')).toHaveLength(1);
  expect(ran.indexOf('watches')).toBe(1);
});
