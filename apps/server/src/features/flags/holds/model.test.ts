import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addStrategy, type FlagEnvironmentParams, givenFlagIn } from '#testing/flags.ts';
import { givenHold, releaseHold } from '#testing/holds.ts';
import { createStorage, startServer, type TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

// Random holds, expiries, edits and restarts are compared with a simple model of the promised behaviour (ADR 19).
// YARDARM_TEST_RUNS=200 runs more.

const runs = Number(process.env.YARDARM_TEST_RUNS ?? 8);
const inEnvironment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

const storage = await createStorage();
const settings = { initAdminTokens: [`*:*.${'m'.repeat(56)}`] };
let server: TestServer;
let sdkToken: string;

beforeAll(async () => {
  server = await startServer(storage, settings);
  sdkToken = (await givenToken(server)).secret;
});
afterAll(async () => {
  await server.stop();
  await storage.remove();
});

type Kind = 'default' | 'flexibleRollout' | 'userWithId';

interface ModelHold {
  readonly effect: 'off' | 'rollout' | 'on';
  readonly rollout: number;
  readonly forEveryone: boolean;
  readonly expiresAt: number;
  readonly id: number;
}

/** The configured state of a flag and its holds by key. */
interface Model {
  enabled: boolean;
  strategies: { readonly id: string; readonly kind: Kind; readonly rollout: number }[];
  readonly holds: Map<string, ModelHold>;
}

interface ServedState {
  readonly enabled: boolean;
  /** Names with percentages, sorted. */
  readonly strategies: readonly string[];
}

/** Returns the state that SDKs must receive. */
function effective({ enabled, strategies, holds }: Model): ServedState {
  const shownStrategies = (rollout?: number) =>
    strategies
      .map(({ kind, rollout: own }) => {
        if (kind === 'userWithId' || (kind === 'default' && rollout === undefined)) return kind;
        return `flexibleRollout ${rollout ?? own}`;
      })
      .toSorted();
  const all = [...holds.values()];
  if (all.length === 0) return { enabled, strategies: shownStrategies() };
  if (all.some(({ effect }) => effect === 'off')) return { enabled: false, strategies: shownStrategies() };
  const percentages = all.filter(({ effect }) => effect === 'rollout').map(({ rollout }) => rollout);
  const lowest = percentages.length === 0 ? undefined : Math.min(...percentages);
  if (strategies.length > 0) return { enabled: true, strategies: shownStrategies(lowest) };
  const inForce = all.filter(({ effect, rollout }) =>
    lowest === undefined ? effect === 'on' : rollout === lowest && effect === 'rollout',
  );
  if (!inForce.some(({ forEveryone }) => forEveryone)) return { enabled: false, strategies: [] };
  return { enabled: true, strategies: [`flexibleRollout ${lowest ?? 100}`] };
}

async function served({ featureName }: FlagEnvironmentParams): Promise<ServedState> {
  const { json } = await server.client(sdkToken).call('GET /api/client/features');
  const flag = json.features.find(({ name }: { name: string }) => name === featureName);
  const label = ({ name, parameters }: { name: string; parameters: { rollout?: string } }) =>
    name === 'flexibleRollout' ? `${name} ${parameters.rollout}` : name;
  return { enabled: flag.enabled, strategies: flag.strategies.map(label).toSorted() };
}

type Step =
  | {
      readonly do: 'place';
      readonly key: string;
      readonly effect: ModelHold['effect'];
      readonly rollout: number;
      readonly ttl: number | null;
    }
  | { readonly do: 'release'; readonly key: string }
  | { readonly do: 'wait' | 'restart'; readonly ms: number }
  | { readonly do: 'switch'; readonly on: boolean }
  | { readonly do: 'add'; readonly kind: Kind; readonly rollout: number }
  | { readonly do: 'delete'; readonly which: number };

const key = fc.constantFrom('a', 'b', 'c');
const rollout = fc.constantFrom(0, 10, 50, 100);
const ms = fc.integer({ min: 0, max: 3000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('place' as const),
      key,
      effect: fc.constantFrom('off' as const, 'rollout' as const, 'on' as const),
      rollout,
      ttl: fc.option(fc.integer({ min: 1, max: 4000 })),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('release' as const), key }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait' as const), ms }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('switch' as const), on: fc.boolean() }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      kind: fc.constantFrom('default' as const, 'flexibleRollout' as const, 'userWithId' as const),
      rollout,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), ms }) },
);

function expire(model: Model): void {
  for (const [key, { expiresAt }] of model.holds) if (expiresAt <= server.clock.now()) model.holds.delete(key);
}

async function runStep(params: FlagEnvironmentParams, model: Model, step: Step): Promise<void> {
  switch (step.do) {
    case 'place':
      return place(params, model, step);
    case 'release': {
      const hold = model.holds.get(step.key);
      if (hold !== undefined) await releaseHold(server, params, hold.id);
      model.holds.delete(step.key);
      return;
    }
    case 'wait':
      server.clock.advance(step.ms);
      await server.app.service.expiries.runDue();
      return expire(model);
    case 'restart': {
      const { clock } = server;
      await server.stop();
      clock.advance(step.ms);
      server = await startServer(storage, settings, clock);
      await server.app.service.expiries.runDue();
      return expire(model);
    }
    case 'switch':
      return switchFlag(params, model, step.on);
    case 'add': {
      const parameters =
        step.kind === 'flexibleRollout' ? { rollout: String(step.rollout), stickiness: 'default', groupId: 'g' } : {};
      const id = await addStrategy(server, params, { name: step.kind, parameters });
      model.strategies.push({ id, kind: step.kind, rollout: step.rollout });
      return;
    }
    case 'delete': {
      const found = model.strategies[step.which];
      if (found === undefined) return;
      await callOrThrow(`DELETE ${inEnvironment}/strategies/:strategyId`, { ...params, strategyId: found.id });
      model.strategies = model.strategies.filter(({ id }) => id !== found.id);
      if (model.strategies.length === 0) model.enabled = false;
    }
  }
}

async function place(params: FlagEnvironmentParams, model: Model, step: Extract<Step, { do: 'place' }>): Promise<void> {
  const { key, effect, rollout, ttl } = step;
  const expiresAt = ttl === null ? Number.POSITIVE_INFINITY : server.clock.now() + ttl;
  const { id } = await givenHold(server, params, {
    key,
    effect,
    ...(effect === 'rollout' ? { rollout } : {}),
    expiresAt: ttl === null ? null : new Date(expiresAt).toISOString(),
  });
  const existing = model.holds.get(key);
  const lacksStrategy = effect !== 'off' && model.strategies.length === 0;
  const forEveryone = existing === undefined || existing.effect === 'off' ? lacksStrategy : existing.forEveryone;
  expect(existing?.id ?? id).toBe(id);
  model.holds.set(key, { effect, rollout, forEveryone, expiresAt, id });
}

async function switchFlag(params: FlagEnvironmentParams, model: Model, on: boolean): Promise<void> {
  const { json } = await callOrThrow(`POST ${inEnvironment}/${on ? 'on' : 'off'}`, params);
  if (on && !model.enabled && model.strategies.length === 0) {
    const state = json.environments.find(({ name }: { name: string }) => name === params.environment);
    model.strategies.push({ id: state.strategies[0].id, kind: 'flexibleRollout', rollout: 100 });
  }
  model.enabled = on;
}

async function callOrThrow(
  route: Parameters<TestServer['admin']['call']>[0],
  params: Readonly<Record<string, string>>,
) {
  const reply = await server.admin.call(route, { params });
  if (reply.status >= 300) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
  return reply;
}

it('SDKs receive the state of the model after every step of random holds, edits, expiries and restarts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const params = await givenFlagIn(server);
      const model: Model = { enabled: false, strategies: [], holds: new Map() };
      for (const step of steps) {
        await runStep(params, model, step);
        expect(await served(params)).toEqual(effective(model));
      }
      for (const { id } of model.holds.values()) await releaseHold(server, params, id);
      model.holds.clear();
      expect(await served(params)).toEqual(effective(model));
    }),
    { numRuns: runs },
  );
}, 120_000);
