import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../api.ts';
import { createInstallation, type Installation } from '../installation.ts';
import { LatencyHistogram } from '../load/histogram.ts';
import { createRawClient, type RawClient } from '../raw-client.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';

const sets = 10;
/** Two sets for each: one that switches it on, one off. */
const flags = sets / 2;
const perSecond = 100;
const path = '/api/client/features';
const seenAtMostMs = 5000;

/** From the answer to a signal to the moment the flag that it switches shows to SDKs, at a steady rate of signals. */
export const actions: Scenario = {
  name: 'actions',
  title: `signals that switch flags, ${sets} sets of actions, ${perSecond} signals/s, until it shows in GET ${path}`,
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: flags, project: 'default', prefix: 'flag-' });
    await using server = await installation.start({
      SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '0',
      UNLEASH_ACTION_SETS_PER_PROJECT_LIMIT: String(2 * sets),
    });
    const token = await createSets(server, installation.adminToken);
    return measure(context, installation, server, token);
  },
};

/** For each flag a set that follows what signals say of it; answers the token of the endpoint. */
async function createSets(server: RunningServer, adminToken: string): Promise<string> {
  const make = <Body>(to: string, body: unknown) => callApi<Body>(server.origin, adminToken, 'POST', to, body);
  const endpoint = await make<{ id: number }>('/api/admin/signal-endpoints', { name: 'bench' });
  const tokens = `/api/admin/signal-endpoints/${endpoint.id}/tokens`;
  const { token } = await make<{ token: string }>(tokens, { name: 'bench' });
  const robot = { username: 'robot', name: 'robot', rootRole: 'Editor' };
  const { id: actorId } = await make<{ id: number }>('/api/admin/service-account', robot);
  for (let n = 0; n < sets; n += 1) {
    const featureName = `flag-${Math.floor(n / 2)}`;
    const how = n % 2 === 0 ? 'ON' : 'OFF';
    const is = (value: string) => ({ operator: 'IN', values: [value] });
    await make('/api/admin/projects/default/actions', {
      name: `set-${n}`,
      actorId,
      match: {
        source: 'signal-endpoint',
        sourceId: endpoint.id,
        payload: { 'labels.flag': is(featureName), status: is(how) },
      },
      actions: [
        {
          action: `TOGGLE_FEATURE_${how}`,
          sortOrder: 1,
          executionParams: { project: 'default', environment: 'development', featureName },
        },
      ],
    });
  }
  return token;
}

interface Expected {
  readonly enabled: boolean;
  /** When the signal was answered, on the clock of this process. */
  readonly since: number;
}

/** What is waited for, by flag, and how long it took. */
class Watch {
  readonly latency = new LatencyHistogram();
  /** Signals whose flag had not shown when the next signal of that flag was answered; counted with the time until then. */
  overtaken = 0;
  readonly #expected = new Map<string, Expected>();
  #shown = new Map<string, boolean>();

  expect(flag: string, enabled: boolean): void {
    const before = this.#expected.get(flag);
    if (before !== undefined) {
      this.overtaken += 1;
      this.latency.record(performance.now() - before.since);
    }
    this.#expected.set(flag, { enabled, since: performance.now() });
    this.look();
  }

  show(body: Buffer): void {
    const { features } = JSON.parse(body.toString()) as { features: { name: string; enabled: boolean }[] };
    this.#shown = new Map(features.map(({ name, enabled }) => [name, enabled]));
    this.look();
  }

  look(): void {
    for (const [flag, { enabled, since }] of this.#expected) {
      if (this.#shown.get(flag) !== enabled) continue;
      this.latency.record(performance.now() - since);
      this.#expected.delete(flag);
    }
  }

  get waits(): boolean {
    return this.#expected.size > 0;
  }
}

async function measure(
  context: ScenarioContext,
  installation: Installation,
  server: RunningServer,
  token: string,
): Promise<Finding[]> {
  const count = context.count(2000);
  context.say(`${count} signals at ${perSecond} a second`);
  using sdk = createRawClient(server.origin, { authorization: installation.backendToken });
  const watch = new Watch();
  const sending = { done: false };
  const polling = poll(sdk, watch, () => sending.done && !watch.waits);
  const begun = performance.now();
  const answers: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    await pause(Math.max(0, begun + (n * 1000) / perSecond - performance.now()));
    const flag = `flag-${n % flags}`;
    // They are on when it begins.
    const enabled = Math.floor(n / flags) % 2 === 1;
    const body = { status: enabled ? 'ON' : 'OFF', labels: { flag } };
    const signal = callApi(server.origin, `Bearer ${token}`, 'POST', '/api/signal-endpoint/bench', body);
    answers.push(signal.then(() => watch.expect(flag, enabled)));
  }
  await Promise.all(answers);
  sending.done = true;
  const polls = await polling;
  const summary = watch.latency.summary();
  return [
    {
      name: 'signal answered until its flag shows, p99',
      unit: 'ms',
      value: summary.p99,
      must: { of: 'value', atMost: 50 },
      detail: { ...summary, polls, overtaken: watch.overtaken, sets, perSecond },
    },
  ];
}

/** Asks for the flags as often as it is answered until `done`; answers how often that was. */
async function poll(sdk: RawClient, watch: Watch, done: () => boolean): Promise<number> {
  let etag: string | undefined;
  let deadline = performance.now() + seenAtMostMs;
  let polls = 0;
  while (!done()) {
    const answer = await sdk.send('GET', path, etag === undefined ? {} : { 'if-none-match': etag });
    polls += 1;
    if (answer.status === 200) {
      etag = answer.headers.etag;
      watch.show(answer.body);
      deadline = performance.now() + seenAtMostMs;
    } else if (answer.status !== 304) throw new Error(`${path} was answered ${answer.status}`);
    if (performance.now() > deadline) throw new Error(`Nothing changed within ${seenAtMostMs} ms`);
  }
  return polls;
}
