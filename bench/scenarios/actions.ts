import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../api.ts';
import { createInstallation, type Installation } from '../installation.ts';
import { LatencyHistogram } from '../load/histogram.ts';
import { createRawClient, type RawClient } from '../raw-client.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedSender } from '../seed/sender.ts';
import type { RunningServer } from '../server.ts';

/** The number of action sets. Each set changes a flag of its own. */
const sets = 10;
const perSecond = 100;
const path = '/api/client/features';
const seenAtMostMs = 10_000;

/** Measures the time from the answer to a signal until SDKs see its change, at a steady rate of signals. */
export const actions: Scenario = {
  name: 'actions',
  title: `signals that change flags, ${sets} sets of actions, ${perSecond} signals/s, until it shows in GET ${path}`,
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await using server = await installation.start({
      SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '0',
      UNLEASH_ACTION_SETS_PER_PROJECT_LIMIT: String(sets),
    });
    const token = await createSets(server, installation.adminToken);
    return await measure(context, installation, server, token);
  },
};

/**
 * Creates flags with a gradual rollout, and for each an action set that sets its percentage from a signal. Returns the
 * token of the signal endpoint.
 */
async function createSets(server: RunningServer, adminToken: string): Promise<string> {
  const make = <Body>(to: string, body: unknown) => callApi<Body>(server.origin, adminToken, 'POST', to, body);
  const { token, endpointId, actorId } = await seedSender(server, adminToken);
  for (let n = 0; n < sets; n += 1) {
    const featureName = `flag-${n}`;
    await make('/api/admin/projects/default/features', { name: featureName });
    const inDevelopment = `/api/admin/projects/default/features/${featureName}/environments/development`;
    const parameters = { rollout: '100', stickiness: 'default', groupId: featureName };
    await make(`${inDevelopment}/strategies`, { name: 'flexibleRollout', parameters });
    await make(`${inDevelopment}/on`, undefined);
    const executionParams = { project: 'default', environment: 'development', featureName, rollout: '{{share}}' };
    await make('/api/admin/projects/default/actions', {
      name: `set-${n}`,
      actorId,
      match: {
        source: 'signal-endpoint',
        sourceId: endpointId,
        payload: { 'labels.flag': { operator: 'IN', values: [featureName] } },
      },
      actions: [{ action: 'SET_ROLLOUT', sortOrder: 1, executionParams }],
    });
  }
  return token;
}

interface Expected {
  readonly share: string;
  /** When the signal was answered, on the clock of this process. */
  readonly since: number;
}

interface Shown {
  readonly features: readonly { name: string; strategies: readonly { parameters: { rollout: string } }[] }[];
}

/** Records the changes of each flag that are expected, in order, and the time until each was visible. */
class Watch {
  readonly latency = new LatencyHistogram();
  readonly #expected = new Map<string, Expected[]>();
  readonly #shown = new Map<string, string>();

  expect(flag: string, share: string): void {
    const waiting = this.#expected.get(flag) ?? [];
    waiting.push({ share, since: performance.now() });
    this.#expected.set(flag, waiting);
    this.#look(flag);
  }

  show(body: Buffer): void {
    const { features } = JSON.parse(body.toString()) as Shown;
    for (const { name, strategies } of features) {
      this.#shown.set(name, strategies[0]?.parameters.rollout ?? '');
      this.#look(name);
    }
  }

  /**
   * Records which expected changes of a flag have arrived: a visible change proves that all earlier ones arrived too.
   */
  #look(flag: string): void {
    const waiting = this.#expected.get(flag) ?? [];
    const at = waiting.findIndex(({ share }) => share === this.#shown.get(flag));
    for (const { since } of waiting.splice(0, at + 1)) this.latency.record(performance.now() - since);
  }

  get waits(): boolean {
    return [...this.#expected.values()].some((waiting) => waiting.length > 0);
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
  const send = async () => {
    await sendAll(server.origin, token, count, watch);
    sending.done = true;
  };
  const [polls] = await Promise.all([poll(sdk, watch, () => sending.done && !watch.waits), send()]);
  const summary = watch.latency.summary();
  return [
    {
      name: 'signal answered until what it changed shows, p99',
      unit: 'ms',
      value: summary.p99,
      must: { of: 'value', atMost: 50 },
      detail: { ...summary, polls, sets, perSecond },
    },
  ];
}

/**
 * Sends signals at their due times without waiting for earlier ones: to each flag in turn, with a percentage it does
 * not have.
 */
async function sendAll(origin: string, token: string, count: number, watch: Watch): Promise<void> {
  const begun = performance.now();
  const answers: Promise<void>[] = [];
  for (let n = 0; n < count; n += 1) {
    await pause(Math.max(0, begun + (n * 1000) / perSecond - performance.now()));
    const flag = `flag-${n % sets}`;
    const share = String(Math.floor(n / sets) % 100);
    const body = { share, labels: { flag } };
    const signal = callApi(origin, `Bearer ${token}`, 'POST', '/api/signal-endpoint/bench', body);
    const answered = signal.then(() => watch.expect(flag, share));
    // Avoids an unhandledRejection; awaited below, when all signals have been sent.
    answered.catch(() => undefined);
    answers.push(answered);
  }
  await Promise.all(answers);
}

/** Polls the flags without a pause until `done`; returns the number of polls. */
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
    if (performance.now() > deadline) throw new Error(`${path} did not change within ${seenAtMostMs} ms`);
  }
  return polls;
}
