import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addStrategy, type FlagEnvironmentParams, givenFlagIn } from '../../../testing/flags.ts';
import { givenLease, release } from '../../../testing/holds.ts';
import { createStorage, startServer, type TestServer } from '../../../testing/server.ts';
import { givenToken } from '../../../testing/tokens.ts';

// Random leases, time-outs, edits and restarts, against a model that is as simple as what was promised (ADR 19). More of them:
// YARDARM_TEST_RUNS=200.

const runs = Number(process.env.YARDARM_TEST_RUNS ?? 8);
const inEnvironment = '/api/admin/projects/:projectId/features/:featureName/environments/:environment' as const;

const storage = createStorage();
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

interface Held {
  readonly effect: 'off' | 'rollout' | 'on';
  readonly rollout: number;
  readonly forEveryone: boolean;
  readonly expiresAt: number;
  readonly leaseId: number;
}

/** A flag as it is configured, and what holds it, by key. */
interface Model {
  enabled: boolean;
  strategies: { readonly id: string; readonly kind: Kind; readonly rollout: number }[];
  readonly leases: Map<string, Held>;
}

interface Shown {
  readonly enabled: boolean;
  /** Names with percentages, sorted. */
  readonly strategies: readonly string[];
}

/** What SDKs are to get. */
function effective({ enabled, strategies, leases }: Model): Shown {
  const told = (rollout?: number) =>
    strategies
      .map(({ kind, rollout: own }) => {
        if (kind === 'userWithId' || (kind === 'default' && rollout === undefined)) return kind;
        return `flexibleRollout ${rollout ?? own}`;
      })
      .toSorted();
  const all = [...leases.values()];
  if (all.length === 0) return { enabled, strategies: told() };
  if (all.some(({ effect }) => effect === 'off')) return { enabled: false, strategies: told() };
  const percentages = all.filter(({ effect }) => effect === 'rollout').map(({ rollout }) => rollout);
  const lowest = percentages.length === 0 ? undefined : Math.min(...percentages);
  if (strategies.length > 0) return { enabled: true, strategies: told(lowest) };
  const deciding = all.filter(({ effect, rollout }) =>
    lowest === undefined ? effect === 'on' : rollout === lowest && effect === 'rollout',
  );
  if (!deciding.some(({ forEveryone }) => forEveryone)) return { enabled: false, strategies: [] };
  return { enabled: true, strategies: [`flexibleRollout ${lowest ?? 100}`] };
}

async function served({ featureName }: FlagEnvironmentParams): Promise<Shown> {
  const { json } = await server.client(sdkToken).call('GET /api/client/features');
  const flag = json.features.find(({ name }: { name: string }) => name === featureName);
  const name = (one: { name: string; parameters: { rollout?: string } }) =>
    one.name === 'flexibleRollout' ? `${one.name} ${one.parameters.rollout}` : one.name;
  return { enabled: flag.enabled, strategies: flag.strategies.map(name).toSorted() };
}

type Step =
  | {
      readonly do: 'place';
      readonly key: string;
      readonly effect: Held['effect'];
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
  for (const [of, { expiresAt }] of model.leases) if (expiresAt <= server.clock.now()) model.leases.delete(of);
}

async function take(params: FlagEnvironmentParams, model: Model, one: Step): Promise<void> {
  switch (one.do) {
    case 'place':
      return place(params, model, one);
    case 'release': {
      const held = model.leases.get(one.key);
      if (held !== undefined) await release(server, params, held.leaseId);
      model.leases.delete(one.key);
      return;
    }
    case 'wait':
      server.clock.advance(one.ms);
      await server.app.service.expiries.runDue();
      return expire(model);
    case 'restart': {
      const { clock } = server;
      await server.stop();
      clock.advance(one.ms);
      server = await startServer(storage, settings, clock);
      await server.app.service.expiries.runDue();
      return expire(model);
    }
    case 'switch':
      return turn(params, model, one.on);
    case 'add': {
      const parameters =
        one.kind === 'flexibleRollout' ? { rollout: String(one.rollout), stickiness: 'default', groupId: 'g' } : {};
      const id = await addStrategy(server, params, { name: one.kind, parameters });
      model.strategies.push({ id, kind: one.kind, rollout: one.rollout });
      return;
    }
    case 'delete': {
      const found = model.strategies[one.which];
      if (found === undefined) return;
      await accepted(`DELETE ${inEnvironment}/strategies/:strategyId`, { ...params, strategyId: found.id });
      model.strategies = model.strategies.filter(({ id }) => id !== found.id);
      if (model.strategies.length === 0) model.enabled = false;
    }
  }
}

async function place(params: FlagEnvironmentParams, model: Model, one: Extract<Step, { do: 'place' }>): Promise<void> {
  const { key, effect, rollout, ttl } = one;
  const expiresAt = ttl === null ? Number.POSITIVE_INFINITY : server.clock.now() + ttl;
  const { id } = await givenLease(server, params, {
    key,
    effect,
    ...(effect === 'rollout' ? { rollout } : {}),
    expiresAt: ttl === null ? null : new Date(expiresAt).toISOString(),
  });
  const known = model.leases.get(key);
  const isBare = effect !== 'off' && model.strategies.length === 0;
  const forEveryone = known === undefined || known.effect === 'off' ? isBare : known.forEveryone;
  expect(known?.leaseId ?? id).toBe(id);
  model.leases.set(key, { effect, rollout, forEveryone, expiresAt, leaseId: id });
}

async function turn(params: FlagEnvironmentParams, model: Model, on: boolean): Promise<void> {
  const { json } = await accepted(`POST ${inEnvironment}/${on ? 'on' : 'off'}`, params);
  if (on && !model.enabled && model.strategies.length === 0) {
    const there = json.environments.find(({ name }: { name: string }) => name === params.environment);
    model.strategies.push({ id: there.strategies[0].id, kind: 'flexibleRollout', rollout: 100 });
  }
  model.enabled = on;
}

async function accepted(route: Parameters<TestServer['admin']['call']>[0], params: Readonly<Record<string, string>>) {
  const reply = await server.admin.call(route, { params });
  if (reply.status >= 300) throw new Error(`${route} answered ${reply.status}: ${reply.text}`);
  return reply;
}

it('SDKs get what the simple model says, whatever is held, edited and restarted in whatever order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const params = await givenFlagIn(server);
      const model: Model = { enabled: false, strategies: [], leases: new Map() };
      for (const one of steps) {
        await take(params, model, one);
        expect(await served(params)).toEqual(effective(model));
      }
      for (const { leaseId } of model.leases.values()) await release(server, params, leaseId);
      model.leases.clear();
      expect(await served(params)).toEqual(effective(model));
    }),
    { numRuns: runs },
  );
}, 120_000);
