import { expect, it, onTestFinished, vi } from 'vitest';
import type { FeedListener } from '#storage/change-feed.ts';
import type { Database } from '#storage/database.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { TestClock } from '#testing/clock.ts';
import { useDatabase } from '#testing/database.ts';
import { createTaskScheduler } from './scheduler.ts';

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
  const scheduler = createTaskScheduler({
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
  await scheduler.start();
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
  const scheduler = createTaskScheduler({
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
  await scheduler.start();
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

it('runs a task at its time when an earlier look at the next task ends after a later one', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const clock = new TestClock();
  const soon = { at: clock.now() + 1000 };
  const looks: ((due: typeof soon | undefined) => void)[] = [];
  let tell: FeedListener['events'] = () => undefined;
  const ran: number[] = [];
  const scheduler = createTaskScheduler({
    database: { feed: { subscribe: ({ events }: FeedListener) => (tell = events) } } as unknown as Pick<
      Database,
      'feed'
    >,
    clock,
    // The first two looks end when the test says so.
    next: () =>
      looks.length < 2
        ? new Promise<typeof soon | undefined>((resolve) => looks.push(resolve))
        : Promise.resolve(ran.length === 0 ? soon : undefined),
    run: async ({ at }) => void ran.push(at),
    sets: () => true,
    onError: () => undefined,
  });
  const starting = scheduler.start();
  const told = tell([{} as EventRow]);
  looks[1]?.(soon);
  looks[0]?.({ at: clock.now() + 50_000 });
  await starting;
  await told;
  clock.advance(1000);
  await vi.advanceTimersByTimeAsync(1000);
  expect(ran).toEqual([soon.at]);
  await scheduler.stop();
});
