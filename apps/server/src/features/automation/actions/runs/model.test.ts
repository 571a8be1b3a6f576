import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ActionPlace, givenActionPlace, givenSet, signal } from '#testing/actions.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

// Random alerts, repetitions, late deliveries, freezes, overrides, decisions, releases by hand and restarts are
// compared with a simple model of two sets that hold one flag (ADR 60, ADR 96). YARDARM_TEST_RUNS=200 runs more.

const runs = Number(process.env['YARDARM_TEST_RUNS'] ?? 12);
const storage = await createStorage();
const settings = {
  initAdminTokens: [`*:*.${'m'.repeat(56)}`],
  signalEndpointsLimit: 1000,
  actionSetsLimit: 1000,
  signalRatePerSecond: 0,
};
let server: TestServer;
let sdkToken: string;

beforeAll(async () => {
  server = await startServer(storage, settings);
  sdkToken = (await givenToken(server, { environment: 'development' })).secret;
});
afterAll(async () => {
  await server.stop();
  await storage.remove();
});

const inEnvironment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;
const lateMs = 120_000;
const stepMs = 2000;

type Status = 'firing' | 'resolved' | 'late';
type Step =
  | { readonly do: 'send'; readonly alerts: readonly (readonly [alert: string, status: Status])[] }
  | { readonly do: 'freeze' | 'unfreeze' | 'override' | 'end override' | 'restart' }
  | { readonly do: 'release' | 'hold-now' | 'drop'; readonly which: number };

const alertNames = ['a', 'b', 'c'];
const send: fc.Arbitrary<Step> = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...alertNames), fc.constantFrom<Status>('firing', 'resolved', 'late')), {
    minLength: 1,
    maxLength: 3,
    selector: ([alert]) => alert,
  })
  .map((alerts) => ({ do: 'send', alerts }));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 14, arbitrary: send },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat(5) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('hold-now' as const, 'drop' as const), which: fc.nat(5) }) },
  ...(['freeze', 'unfreeze', 'override', 'end override', 'restart'] as const).map((what) => ({
    weight: what === 'freeze' || what === 'unfreeze' ? 3 : 1,
    arbitrary: fc.constant({ do: what } as Step),
  })),
);

interface Model {
  frozen: boolean;
  overridden: boolean;
  /** The alerts for which each of the two sets holds the flag. */
  readonly holds: { readonly off: Set<string>; readonly rollout: Set<string> };
  /** The alerts whose releases wait, by set. */
  readonly waiting: { readonly off: Set<string>; readonly rollout: Set<string> };
  /** The alerts whose holds wait for a person, by set. */
  readonly undecided: { readonly off: Set<string>; readonly rollout: Set<string> };
  /** The alerts that fire and whose latest run of a set held the flag, or was stopped by the override alone. */
  readonly holding: { readonly off: Set<string>; readonly rollout: Set<string> };
  /** The current or latest start of each alert. */
  readonly starts: Map<string, { readonly at: string; readonly isOver: boolean }>;
  /** The time at which each alert ended. The key is the alert and its start, such as `a 2026-11-01T00:01:00.000Z`. */
  readonly ends: Map<string, number>;
}

const newModel = (): Model => ({
  frozen: false,
  overridden: false,
  holds: { off: new Set(), rollout: new Set() },
  waiting: { off: new Set(), rollout: new Set() },
  undecided: { off: new Set(), rollout: new Set() },
  holding: { off: new Set(), rollout: new Set() },
  starts: new Map(),
  ends: new Map(),
});

let begun = 0;

/** Returns the start that an alert is sent with. */
function startOf({ starts }: Model, alert: string, status: Status): string {
  const known = starts.get(alert);
  const begins = status === 'firing' && known?.isOver !== false;
  if (known === undefined || begins) {
    const at = new Date(Date.UTC(2026, 10, 1) + ++begun * 60_000).toISOString();
    starts.set(alert, { at, isOver: status !== 'firing' });
    return at;
  }
  if (status === 'resolved') starts.set(alert, { at: known.at, isOver: true });
  return known.at;
}

function release({ off, rollout }: Model['holds'], alert: string): void {
  off.delete(alert);
  rollout.delete(alert);
}

async function sendAlerts(place: ActionPlace, model: Model, alerts: Extract<Step, { do: 'send' }>['alerts']) {
  const sent = alerts.map(([alert, status]) => ({ alert, status, startsAt: startOf(model, alert, status) }));
  const now = server.clock.now();
  for (const { alert, status, startsAt } of sent) {
    const key = `${alert} ${startsAt}`;
    if (status === 'resolved') {
      release(model.undecided, alert);
      release(model.holding, alert);
      if (!model.frozen) release(model.holds, alert);
      else for (const waiting of Object.values(model.waiting)) waiting.add(alert);
      continue;
    }
    const end = model.ends.get(key);
    const isLate = end !== undefined && end > now - lateMs;
    if (isLate) continue;
    release(model.undecided, alert);
    for (const effect of ['off', 'rollout'] as const) {
      const waits = model.frozen && !model.holds[effect].has(alert);
      if (waits) model.undecided[effect].add(alert);
      if (waits) model.holding[effect].delete(alert);
      else model.holding[effect].add(alert);
    }
    // An alert that fires again while a release waits keeps its holds.
    if (model.frozen && model.holds.off.has(alert)) model.waiting.off.delete(alert);
    if (model.frozen && model.holds.rollout.has(alert)) model.waiting.rollout.delete(alert);
    if (model.frozen || model.overridden) continue;
    model.holds.off.add(alert);
    model.holds.rollout.add(alert);
  }
  for (const { alert, status, startsAt } of sent)
    if (status === 'resolved') model.ends.set(`${alert} ${startsAt}`, now);
  await signal(server, place, {
    status: 'firing',
    alerts: sent.map(({ alert, status, startsAt }) => ({
      fingerprint: alert,
      status: status === 'resolved' ? 'resolved' : 'firing',
      startsAt,
      labels: { alertname: alert },
    })),
  });
}

async function runStep(place: ActionPlace, model: Model, step: Step): Promise<void> {
  const params = place.flag;
  switch (step.do) {
    case 'send':
      return sendAlerts(place, model, step.alerts);
    case 'freeze':
    case 'unfreeze': {
      model.frozen = step.do === 'freeze';
      await server.admin.call('POST /api/admin/automation', { body: { frozen: model.frozen } });
      return;
    }
    case 'override':
      model.overridden = true;
      for (const alert of alertNames) release(model.holds, alert);
      await server.admin.call(`PUT ${inEnvironment}/automation-override`, { params, body: { reason: 'By hand' } });
      return;
    case 'end override':
      await server.app.service.alerts.settled();
      if (!model.overridden) return;
      await server.admin.call(`DELETE ${inEnvironment}/automation-override`, { params });
      model.overridden = false;
      // A person decides about each alert that fires, and would hold the flag.
      for (const effect of ['off', 'rollout'] as const)
        for (const alert of model.holding[effect])
          if (!model.holds[effect].has(alert)) model.undecided[effect].add(alert);
      return;
    case 'release': {
      const leases = await leasesOf(place);
      const lease = leases[step.which % Math.max(leases.length, 1)];
      if (lease === undefined) return;
      await server.admin.call(`DELETE ${inEnvironment}/leases/:leaseId`, { params: { ...params, leaseId: lease.id } });
      model.holds[lease.effect].delete(lease.heldBy.key);
      return;
    }
    case 'hold-now':
    case 'drop':
      return decide(place, model, step.do, step.which);
    case 'restart': {
      const { clock } = server;
      await server.stop();
      server = await startServer(storage, settings, clock);
    }
  }
}

interface Undecided {
  readonly runId: number;
  readonly actionSetId: number;
  readonly title: string;
  readonly holds: readonly { readonly effect: 'off' | 'rollout' }[];
}

async function undecidedOf({ projectId }: ActionPlace): Promise<readonly Undecided[]> {
  const { undecided } = (await server.admin.call('GET /api/admin/now')).json;
  return undecided.filter(({ project }: { project: string }) => project === projectId);
}

async function decide(place: ActionPlace, model: Model, how: 'hold-now' | 'drop', which: number): Promise<void> {
  const undecided = await undecidedOf(place);
  const run = undecided[which % Math.max(undecided.length, 1)];
  const effect = run?.holds[0]?.effect;
  if (run === undefined || effect === undefined) return;
  const { runId, actionSetId, title } = run;
  const route = `POST /api/admin/projects/:projectId/actions/:actionSetId/events/:runId/${how}` as const;
  const params = { projectId: place.projectId, actionSetId, runId };
  const { status } = await server.admin.call(route, { params, body: { reason: 'Decided' } });
  const isRefused = how === 'hold-now' && model.frozen;
  expect(status).toBe(isRefused ? 409 : 200);
  if (isRefused) return;
  model.undecided[effect].delete(title);
  if (how === 'hold-now') model.holding[effect].add(title);
  if (how === 'hold-now' && !model.overridden) model.holds[effect].add(title);
}

interface Lease {
  readonly id: number;
  readonly effect: 'off' | 'rollout';
  readonly heldBy: { readonly key: string };
}

async function leasesOf({ flag }: ActionPlace): Promise<readonly Lease[]> {
  const list = 'GET /api/admin/projects/:projectId/features/:featureName/leases';
  return (await server.admin.call(list, { params: flag })).json.leases;
}

/** Lets time pass, and lets waiting releases continue. */
async function pass(model: Model): Promise<void> {
  server.clock.advance(stepMs);
  await server.app.service.jobs.runDue();
  if (model.frozen) return;
  for (const effect of ['off', 'rollout'] as const) {
    for (const alert of model.waiting[effect]) model.holds[effect].delete(alert);
    model.waiting[effect].clear();
  }
}

async function expectAsModelled(place: ActionPlace, { holds: { off, rollout }, undecided }: Model): Promise<void> {
  const asked = (await undecidedOf(place)).map(({ title, holds }) => `${title} ${holds[0]?.effect}`);
  const expected = (['off', 'rollout'] as const).flatMap((effect) =>
    [...undecided[effect]].map((a) => `${a} ${effect}`),
  );
  expect(asked.toSorted()).toEqual(expected.toSorted());
  const leases = await leasesOf(place);
  const keys = (effect: string) => leases.filter((lease) => lease.effect === effect).map(({ heldBy }) => heldBy.key);
  expect({ off: keys('off').toSorted(), rollout: keys('rollout').toSorted() }).toEqual({
    off: [...off].toSorted(),
    rollout: [...rollout].toSorted(),
  });
  const { json } = await server.client(sdkToken).call('GET /api/client/features');
  const flag = json.features.find(({ name }: { name: string }) => name === place.flag.featureName);
  const percentage = flag.strategies[0]?.parameters.rollout;
  expect([flag.enabled, off.size > 0 ? undefined : percentage]).toEqual(
    off.size > 0 ? [false, undefined] : [true, rollout.size > 0 ? '10' : '100'],
  );
}

/** Creates a flag that is on, and two sets that hold it for each alert: one off, the other at ten percent. */
async function givenSets(): Promise<ActionPlace> {
  const place = await givenActionPlace(server);
  const { projectId: project, flag, endpoint } = place;
  const { environment, featureName } = flag;
  await server.admin.call(`POST ${inEnvironment}/on`, { params: flag });
  const body = { name: endpoint.name, source: 'alertmanager' };
  await server.admin.call('PUT /api/admin/signal-endpoints/:id', { params: { id: endpoint.id }, body });
  const status = (value: string) => ({ 'item.status': { operator: 'IN', values: [value] } });
  for (const effect of [{ effect: 'off' }, { effect: 'rollout', rollout: 10 }])
    await givenSet(
      server,
      {
        match: {
          source: 'signal-endpoint',
          sourceId: endpoint.id,
          forEach: 'alerts',
          payload: status('firing'),
          release: status('resolved'),
        },
        actions: [
          { action: 'HOLD_FEATURE', sortOrder: 1, executionParams: { project, environment, featureName, ...effect } },
        ],
      },
      place,
    );
  return place;
}

it('a flag is held as the model says, after every step of random alerts, freezes, overrides and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const place = await givenSets();
      const model = newModel();
      try {
        for (const step of steps) {
          await runStep(place, model, step);
          await pass(model);
          await expectAsModelled(place, model);
        }
      } finally {
        await server.admin.call('POST /api/admin/automation', { body: { frozen: false } });
      }
    }),
    { numRuns: runs },
  );
}, 120_000);
