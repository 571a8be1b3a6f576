import { expect, it, onTestFinished, vi } from 'vitest';
import { TestClock } from '../../testing/clock.ts';
import { useDatabase } from '../../testing/database.ts';
import type { Database } from '../storage/database.ts';
import { startTaskScheduler } from './scheduler.ts';

const given = useDatabase();

it('stop() waits for the current task and starts no other', async () => {
  const { database, clock } = given();
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const due = [
    { name: 'first', at: clock.now() },
    { name: 'second', at: clock.now() },
  ];
  const ran: string[] = [];
  const scheduler = await startTaskScheduler({
    database,
    clock,
    next: async () => due[0],
    run: async ({ name }) => {
      begun.resolve();
      await release.promise;
      ran.push(name);
      due.shift();
    },
    sets: () => false,
    onError: () => undefined,
  });
  await begun.promise;
  let stopped = false;
  const stopping = scheduler.stop().then(() => {
    stopped = true;
  });
  // Wait for a read of the database, so that the callbacks of all settled promises have run before the check.
  await database.db.selectFrom('jobs').select('id').execute();
  expect(stopped).toBe(false);
  release.resolve();
  await stopping;
  expect(ran).toEqual(['first']);
});

it('runs a due task after the database failed when the next task was read', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const clock = new TestClock();
  const feed = { subscribe: () => undefined };
  const errors: unknown[] = [];
  const due = [{ at: clock.now() + 1000 }];
  let isDown = false;
  const scheduler = await startTaskScheduler({
    database: { feed } as unknown as Pick<Database, 'feed'>,
    clock,
    next: async () => {
      if (isDown) throw new Error('the database is down');
      return due[0];
    },
    run: async () => void due.shift(),
    sets: () => false,
    onError: (error) => void errors.push(error),
  });
  const pass = async (ms: number) => {
    clock.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
  };
  isDown = true;
  await pass(1000);
  expect([due.length, errors.length > 0]).toEqual([1, true]);
  await pass(60_000);
  isDown = false;
  await pass(5000);
  expect(due).toEqual([]);
  await scheduler.stop();
});
