import { expect, it } from 'vitest';
import { useDatabase } from '../../testing/database.ts';
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
