import { expect, it, onTestFinished, vi } from 'vitest';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { type GivenPlace, givenScheduled, readRequest } from '#testing/change-requests.ts';
import { givenEnabled } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { givenPlan, planOf, rolloutTo } from '#testing/release-plans.ts';
import { eventsAfter, lastEventId } from '#testing/scenario.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';

const minuteMs = 60_000;
const settings = { initAdminTokens: [`*:*.${'a1'.repeat(28)}`] };

/** How many hooks a server has, and how many it had at each change. */
const counted = { hooks: 0, atChanges: [] as number[] };

function countHooks(database: Database): Database {
  Object.assign(counted, { hooks: 0, atChanges: [] });
  return {
    ...database,
    beforeCommit: (hook) => {
      counted.hooks++;
      database.beforeCommit(hook);
    },
    write: (author, change) => {
      counted.atChanges.push(counted.hooks);
      return database.write(author, change);
    },
  };
}

function expectAllHooksAtEachChange(): void {
  expect(counted.hooks).toBeGreaterThan(10);
  expect(counted.atChanges.length).toBeGreaterThan(0);
  expect(new Set(counted.atChanges)).toEqual(new Set([counted.hooks]));
}

/** Schedules the archiving of a flag that is held. */
function givenScheduledArchiving(server: TestServer) {
  return givenScheduled(server, { inMs: minuteMs }, async ({ params }: GivenPlace) => {
    await givenHold(server, params);
    return { action: 'archiveFeature', feature: params.featureName };
  });
}

it('a server that starts with overdue work has all hooks at its first change', async () => {
  const storage = await createStorage();
  onTestFinished(() => storage.remove());
  const before = await startServer(storage, settings, undefined, countHooks);
  expectAllHooksAtEachChange();
  const held = await givenEnabled(before);
  const { id } = await givenHold(before, held, {
    effect: 'off',
    expiresAt: isoTime(before.clock.now() + minuteMs),
  });
  const archiving = await givenScheduledArchiving(before);
  const { params: planned, milestoneIds } = await givenPlan(before, [rolloutTo(10, 1), rolloutTo(100)]);
  const newest = await lastEventId(before);
  await before.stop();
  before.clock.advance(2 * minuteMs);

  const server = await startServer(storage, settings, before.clock, countHooks);
  await vi.waitFor(
    async () => {
      const { json } = await server.admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', {
        params: held,
      });
      expect(json.leases).toEqual([]);
      expect(await readRequest(server, archiving.params.projectId, archiving.id)).toMatchObject({ state: 'Applied' });
      expect(await planOf(server, planned)).toMatchObject({ activeMilestoneId: milestoneIds[1] });
    },
    { timeout: 20_000, interval: 50 },
  );
  expectAllHooksAtEachChange();
  // A hook releases the hold of the archived flag, in the change that archives it.
  expect(await eventsAfter(server, newest)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ type: 'feature-lease-expired', preData: expect.objectContaining({ id }) }),
      expect.objectContaining({ type: 'feature-lease-released', featureName: archiving.params.featureName }),
      expect.objectContaining({ type: 'change-request-scheduled-application-success' }),
    ]),
  );
  await server.stop();
});
