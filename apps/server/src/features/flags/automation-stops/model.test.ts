import { compileDocument, readyContext } from '@yardarm/evaluation';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ActionPlace, givenSet, signal } from '#testing/actions.ts';
import { givenAlertPlace, holdingAlerts } from '#testing/alerts.ts';
import type { ApiClient } from '#testing/client.ts';
import { type FlagEnvironmentParams, givenFlag } from '#testing/flags.ts';
import { metricNamed, startMinute } from '#testing/impact-metrics.ts';
import { givenPlan, passMinutes, planOf, rolloutTo } from '#testing/release-plans.ts';
import { moreThan, setSafeguard } from '#testing/safeguards.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';
import { endOverride, freeze, maintain, override } from '#testing/stops.ts';
import { givenToken } from '#testing/tokens.ts';

// Random alerts, errors, stops, ends and restarts: no user gets a flag while a stop is in force, and afterwards the
// flag is where its plan says (ADR 104). YARDARM_TEST_RUNS=200 runs more.

const runs = Number(process.env.YARDARM_TEST_RUNS ?? 4);
const minuteMs = 60_000;
const environment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const users = Array.from({ length: 1000 }, (_, index) => `user-${index}`);

const storage = await createStorage();
const settings = {
  initAdminTokens: [`*:*.${'p'.repeat(56)}`],
  signalEndpointsLimit: 1000,
  actionSetsLimit: 1000,
};
let server: TestServer;

beforeAll(async () => {
  server = await startServer(storage, settings);
});
afterAll(async () => {
  await server.stop();
  await storage.remove();
});

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('pass' as const), minutes: fc.integer({ min: 1, max: 8 }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('fire' as const, 'resolve' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('errors' as const), count: fc.constantFrom(0, 0, 20) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('freeze' as const, 'thaw' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('maintain' as const, 'maintained' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('override' as const),
      minutes: fc.option(fc.integer({ min: 1, max: 12 }), { freq: 2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('end override' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** A flag with a plan, a safeguard, an alert that holds it, and perhaps a child that is on while the flag is off. */
class Trial {
  readonly place: ActionPlace;
  readonly flag: FlagEnvironmentParams;
  readonly metric: string;
  readonly secret: string;
  readonly child: string | undefined;
  isFrozen = false;
  isInMaintenance = false;
  /** Milliseconds UTC; infinite for an override without an end, null without an override. */
  overriddenUntil: number | null = null;
  firingSince: string | undefined;

  private constructor(parts: Pick<Trial, 'place' | 'metric' | 'secret' | 'child'>) {
    this.place = parts.place;
    this.flag = parts.place.flag;
    this.metric = parts.metric;
    this.secret = parts.secret;
    this.child = parts.child;
  }

  static async begin(hasChild: boolean): Promise<Trial> {
    const place = await givenAlertPlace(server);
    const { flag } = place;
    const metric = metricNamed('failed');
    const { secret } = await givenToken(server, { environment: flag.environment });
    const child = hasChild ? (await givenFlag(server, {}, flag.projectId)).featureName : undefined;
    if (child !== undefined) {
      const params = { ...flag, featureName: child };
      const body = { feature: flag.featureName, enabled: false };
      const route = 'POST /api/admin/projects/:projectId/features/:featureName/dependencies';
      await server.admin.call(route, { params, body });
      await server.admin.call(`POST ${environment}/on`, { params });
    }
    const trial = new Trial({ place, metric, secret, child });
    startMinute(server);
    await trial.report(0);
    const milestones = [rolloutTo(1, 5), rolloutTo(10, 5), rolloutTo(50, 5), rolloutTo(100)];
    const { params } = await givenPlan(server, milestones, flag);
    await setSafeguard(server, params, { ...moreThan(10, `unleash_counter_${metric}`), holdAt: 'previous' });
    await givenSet(server, holdingAlerts(place, { params: { minutes: 15 } }), place);
    return trial;
  }

  get sdk(): ApiClient {
    return server.client(this.secret);
  }

  get isStopped(): boolean {
    const isOverridden = this.overriddenUntil !== null && this.overriddenUntil > server.clock.now();
    return this.isFrozen || this.isInMaintenance || isOverridden;
  }

  async report(value: number): Promise<void> {
    const impactMetrics = [{ name: this.metric, help: 'failed', type: 'counter', samples: [{ value }] }];
    const body = { appName: 'shop', instanceId: 'i', bucket: null, impactMetrics };
    await this.sdk.call('POST /api/client/metrics', { body });
    await server.app.service.impactMetrics.flush();
    await server.app.service.usage.flush();
  }

  async alert(status: 'firing' | 'resolved'): Promise<void> {
    const now = new Date(server.clock.now()).toISOString();
    if (status === 'firing') this.firingSince ??= now;
    if (this.firingSince === undefined) return;
    const times = { startsAt: this.firingSince, ...(status === 'resolved' ? { endsAt: now } : {}) };
    if (status === 'resolved') this.firingSince = undefined;
    await signal(server, this.place, { status, alerts: [{ status, fingerprint: 'a1', ...times }] });
  }

  /** Returns how many of the users get the flag and its child. */
  async shares(): Promise<number[]> {
    const flags = compileDocument((await this.sdk.call('GET /api/client/features')).json);
    const circumstances = { now: server.clock.now(), random: Math.random };
    const names = this.child === undefined ? [this.flag.featureName] : [this.flag.featureName, this.child];
    return names.map((name) => {
      const flag = flags.get(name);
      if (flag === undefined) throw new Error(`the flag ${name} is not served`);
      return users.filter((userId) => flags.evaluate(flag, readyContext({ userId }, circumstances)).enabled).length;
    });
  }

  /** Lets a minute pass, in which the loops of the server run. */
  async passMinute(): Promise<void> {
    await passMinutes(server, 1);
    await settle();
  }

  /** Does `act`, and fails when a share rises under a stop that is in force before and after. */
  async observe(act: () => Promise<unknown>): Promise<void> {
    const [before, wasStopped] = [await this.shares(), this.isStopped];
    await act();
    await settle();
    const after = await this.shares();
    if (!wasStopped || !this.isStopped) return;
    for (const [index, share] of after.entries()) expect(share).toBeLessThanOrEqual(before[index] ?? 0);
  }
}

async function settle(): Promise<void> {
  await server.app.service.actions.settled();
  await server.app.service.expiries.runDue();
  await server.app.service.jobs.runDue();
}

async function setFreeze(trial: Trial, frozen: boolean): Promise<void> {
  // People can change nothing else in maintenance.
  if (trial.isInMaintenance) return;
  await freeze(server, frozen);
  trial.isFrozen = frozen;
}

async function setMaintenance(trial: Trial, enabled: boolean): Promise<void> {
  await maintain(server, enabled);
  trial.isInMaintenance = enabled;
}

async function placeOverride(trial: Trial, minutes: number | null): Promise<void> {
  if (trial.isInMaintenance) return;
  const until = minutes === null ? null : server.clock.now() + minutes * minuteMs;
  await override(server, trial.flag, { endsAt: until === null ? null : new Date(until).toISOString() });
  trial.overriddenUntil = until ?? Number.POSITIVE_INFINITY;
}

async function removeOverride(trial: Trial): Promise<void> {
  if (trial.isInMaintenance) return;
  await endOverride(server, trial.flag);
  trial.overriddenUntil = null;
}

async function restart(): Promise<void> {
  const { clock } = server;
  await server.stop();
  server = await startServer(storage, settings, clock);
}

async function apply(trial: Trial, act: Step): Promise<void> {
  switch (act.do) {
    case 'pass':
      for (let minute = 0; minute < act.minutes; minute++) await trial.observe(() => trial.passMinute());
      return;
    case 'errors':
      await trial.observe(() => trial.report(act.count));
      return trial.observe(() => trial.passMinute());
    case 'fire':
      return trial.observe(() => trial.alert('firing'));
    case 'resolve':
      return trial.observe(() => trial.alert('resolved'));
    case 'freeze':
      return trial.observe(() => setFreeze(trial, true));
    case 'thaw':
      return trial.observe(() => setFreeze(trial, false));
    case 'maintain':
      return trial.observe(() => setMaintenance(trial, true));
    case 'maintained':
      return trial.observe(() => setMaintenance(trial, false));
    case 'override':
      return trial.observe(() => placeOverride(trial, act.minutes));
    case 'end override':
      return trial.observe(() => removeOverride(trial));
    case 'restart':
      return trial.observe(restart);
  }
}

it('no user gets a flag while a person has said stop, and afterwards the flag is where its plan says', async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(step, { minLength: 8, maxLength: 30 }), async (hasChild, steps) => {
      const trial = await Trial.begin(hasChild);
      for (const act of steps) await apply(trial, act);
      await setMaintenance(trial, false);
      await setFreeze(trial, false);
      await removeOverride(trial);
      await trial.alert('resolved');
      for (let minute = 0; minute < 30; minute++) {
        await trial.report(0);
        await trial.passMinute();
      }
      const params = { projectId: trial.flag.projectId, featureName: trial.flag.featureName };
      const route = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
      expect((await server.admin.call(route, { params })).json.leases).toEqual([]);
      expect((await planOf(server, trial.flag)).progress.state).toBe('completed');
      expect(await trial.shares()).toEqual(hasChild ? [1000, 0] : [1000]);
    }),
    { numRuns: runs },
  );
}, 180_000);
