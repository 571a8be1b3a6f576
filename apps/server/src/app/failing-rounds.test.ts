import { expect, it, onTestFinished, vi } from 'vitest';
import { TokensInMemory } from '#features/people/api-tokens/index.ts';
import { createDiskSpace } from '#jobs/disk-space.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Tables } from '#storage/tables.ts';
import { givenSet, runsOf } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import { whileAway } from '#testing/away.ts';
import { givenEnabled, givenFlag, type givenFlagIn } from '#testing/flags.ts';
import { givenHold } from '#testing/holds.ts';
import { givenIntegration } from '#testing/integrations.ts';
import { useReceiver } from '#testing/receiver.ts';
import { givenPlan, rolloutTo } from '#testing/release-plans.ts';
import { type TestServer, useServer } from '#testing/server.ts';
import { send } from '#testing/signals.ts';
import { givenToken } from '#testing/tokens.ts';

// The database fails once in each kind of background work that is no job (these: jobs/failing-jobs.test.ts).

const minuteMs = 60_000;
const hookUrl = () => receiver().url;
const receiver = useReceiver();
const server = useServer({ signalEndpointsLimit: 100, allowPrivateIntegrationUrls: true });

interface Work {
  /** The table that is away when the work first runs. */
  readonly needs: keyof Tables & string;
  /** Prepares the work. Returns what starts it, and what is expected after its retry. */
  readonly prepare: (server: TestServer) => Promise<{
    readonly start: () => Promise<unknown>;
    /** Does the work again. Absent for work that repeats itself within seconds. */
    readonly again?: () => Promise<unknown>;
    readonly expectDone: () => Promise<unknown>;
  }>;
}

const sending = (at: Parameters<typeof send>[1], body: object) => async () => {
  expect((await send(server(), at, JSON.stringify(body))).status).toBe(200);
};
const holdsOf = async (params: Awaited<ReturnType<typeof givenFlagIn>>) =>
  (await server().admin.call('GET /api/admin/projects/:projectId/features/:featureName/leases', { params })).json
    .leases;
const warnings = async ({ featureName }: Awaited<ReturnType<typeof givenFlagIn>>) => {
  const { events } = (await server().admin.call('GET /api/admin/events/:featureName', { params: { featureName } }))
    .json;
  return events.filter(({ type }: { type: string }) => type === 'feature-lease-expiring');
};

const works: Readonly<Record<string, Work>> = {
  'running action sets': {
    needs: 'action_runs',
    prepare: async (at) => {
      const set = await givenSet(at);
      return {
        start: async () => {
          await sending(set.endpoint, {})();
          await at.app.service.actions.settled();
        },
        expectDone: async () => expect(await runsOf(at, set)).toMatchObject([{ state: 'success' }]),
      };
    },
  },
  'tracking alerts': {
    needs: 'firing_alerts',
    prepare: async (at) => {
      const place = await givenAlertPlace(at);
      return {
        start: async () => {
          await sending(place.endpoint, { alerts: [{ status: 'firing', fingerprint: 'a' }] })();
          await at.app.service.alerts.settled();
        },
        expectDone: async () =>
          expect((await at.admin.call('GET /api/admin/now')).json.alertsWithoutEffect).toMatchObject([
            { signalEndpointId: place.endpoint.id },
          ]),
      };
    },
  },
  'queueing and sending deliveries': {
    needs: 'deliveries',
    prepare: async (at) => {
      await givenIntegration(at, { parameters: { url: hookUrl() }, events: ['feature-created'] });
      return {
        start: async () => {
          await givenFlag(at);
          await at.app.service.deliveries.settled();
        },
        again: () => at.app.service.deliveries.idle(),
        expectDone: async () => expect(receiver().received).toHaveLength(1),
      };
    },
  },
  'ending holds': {
    needs: 'feature_leases',
    prepare: async (at) => {
      const params = await givenEnabled(at);
      await givenHold(at, params, { effect: 'off', expiresAt: isoTime(at.clock.now() + 20 * minuteMs) });
      at.clock.advance(21 * minuteMs);
      return {
        start: () => at.app.service.expiries.runDue(),
        again: () => at.app.service.expiries.runDue(),
        expectDone: async () => expect(await holdsOf(params)).toEqual([]),
      };
    },
  },
  'holding flags further down': {
    needs: 'feature_leases',
    prepare: async (at) => {
      const place = await givenAlertPlace(at);
      const milestones = [rolloutTo(10), rolloutTo(100)];
      const { params } = await givenPlan(at, milestones, place.flag, { stepDownMinutes: 1 });
      await givenSet(at, holdingAlerts(place, { params: { effect: 'milestone', milestone: 'first' } }), place);
      await sending(place.endpoint, { alerts: [{ status: 'firing', fingerprint: 'a' }] })();
      await at.app.service.actions.settled();
      at.clock.advance(2 * minuteMs);
      return {
        start: () => at.app.service.stepDowns.runDue(),
        again: () => at.app.service.stepDowns.runDue(),
        expectDone: async () => expect(await holdsOf(params)).toMatchObject([{ effect: 'off' }]),
      };
    },
  },
  'announcing the end of holds': {
    needs: 'feature_leases',
    prepare: async (at) => {
      const params = await givenEnabled(at);
      await givenHold(at, params, { effect: 'off', expiresAt: isoTime(at.clock.now() + 20 * minuteMs) });
      at.clock.advance(11 * minuteMs);
      return {
        start: () => at.app.service.announcements.runDue(),
        again: () => at.app.service.announcements.runDue(),
        expectDone: async () => expect(await warnings(params)).toHaveLength(1),
      };
    },
  },
  'marking flags as potentially stale': {
    needs: 'feature_types',
    prepare: async (at) => {
      await givenFlag(at, { type: 'operational' });
      at.clock.advance(8 * 24 * 60 * minuteMs);
      return {
        start: () => at.app.service.staleness.run(),
        again: async () => expect(await at.app.service.staleness.run()).toBeGreaterThan(0),
        expectDone: async () => undefined,
      };
    },
  },
};

it('reading API tokens again goes on after the database failed once', async () => {
  const { database } = server().app;
  let isAway = false;
  const errors: unknown[] = [];
  const failing = {
    ...database,
    get db() {
      if (isAway) throw new Error('away');
      return database.db;
    },
  };
  const tokens = await TokensInMemory.load(failing, (error) => errors.push(error));
  const { id } = await givenToken(server());
  await vi.waitFor(() => expect(tokens.byId(Number(id))).toBeDefined());
  // The retry comes after five seconds, which waitFor then passes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  isAway = true;
  await givenToken(server());
  await vi.waitFor(() => expect(errors.length).toBeGreaterThan(0));
  expect(tokens.byId(Number(id))).toBeUndefined();
  isAway = false;
  await vi.waitFor(() => expect(tokens.byId(Number(id))).toBeDefined(), { timeout: 20_000, interval: 50 });
  await tokens.stop();
});

it('reclaiming disk space goes on after the database failed once', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let tries = 0;
  const errors: unknown[] = [];
  const reclaim = async () => {
    tries++;
    if (tries === 1) throw new Error('away');
    return 0;
  };
  const space = createDiskSpace({ reclaim }, (error) => errors.push(error));
  space.start();
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect([tries, errors.length]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(minuteMs);
  expect([tries, errors.length]).toEqual([2, 1]);
  await space.stop();
});

it.each(Object.entries(works))('%s goes on after the database failed once', async (_name, { needs, prepare }) => {
  const { start, again, expectDone } = await prepare(server());
  await whileAway(server(), needs, start);
  await again?.();
  await vi.waitFor(expectDone, { timeout: 20_000, interval: 50 });
});
