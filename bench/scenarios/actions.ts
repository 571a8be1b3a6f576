import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../api.ts';
import { createInstallation, type Installation } from '../installation.ts';
import { LatencyHistogram } from '../load/histogram.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedSender } from '../seed/sender.ts';
import type { RunningServer } from '../server.ts';

/** The number of action sets. Each set changes a flag of its own. */
const sets = 10;
const perSecond = 100;
/** Signals that are sent first and not measured, while the server compiles what it runs often. */
const warmUp = 300;
const path = '/api/client/streaming';
const seenAtMostMs = 10_000;

/** Measures the time from the answer to a signal until its change is on the stream of an SDK, at a steady rate. */
export const actions: Scenario = {
  name: 'actions',
  title: `signals that change flags, ${sets} sets of actions, ${perSecond} signals/s, until it is on an open stream`,
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
  readonly name: string;
  readonly strategies: readonly { readonly parameters: { readonly rollout: string } }[];
}

/** The data of a message to SDKs. */
interface Told {
  readonly events?: readonly { readonly feature?: Shown }[];
}

/** Records the changes of each flag that are expected, in order, and the time until each was visible. */
class Watch {
  readonly latency = new LatencyHistogram();
  readonly #expected = new Map<string, Expected[]>();
  readonly #shown = new Map<string, string>();
  #noneWaits = Promise.withResolvers<void>();

  expect(flag: string, share: string): void {
    const waiting = this.#expected.get(flag) ?? [];
    waiting.push({ share, since: performance.now() });
    this.#expected.set(flag, waiting);
    this.#look(flag);
  }

  show({ name, strategies }: Shown): void {
    this.#shown.set(name, strategies[0]?.parameters.rollout ?? '');
    this.#look(name);
    if (!this.waits) this.#noneWaits.resolve();
  }

  /** Resolves when all expected changes have been seen; rejects when one is not seen for too long. */
  async settled(): Promise<void> {
    if (!this.waits) return;
    this.#noneWaits = Promise.withResolvers();
    const late = pause(seenAtMostMs, undefined, { ref: false }).then(() => {
      throw new Error(`a change was not on the stream within ${seenAtMostMs} ms`);
    });
    await Promise.race([this.#noneWaits.promise, late]);
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
  context.say(`${count} signals at ${perSecond} a second, after ${warmUp} others`);
  const watch = new Watch();
  const stop = new AbortController();
  const reading = readStream(server.origin, installation.backendToken, watch, stop.signal);
  const sending = sendAll(server.origin, token, count, watch).then(() => watch.settled());
  try {
    await Promise.race([sending, reading]);
  } finally {
    stop.abort();
  }
  await reading;
  const summary = watch.latency.summary();
  return [
    {
      name: 'signal answered until its change is on an open stream, p99',
      unit: 'ms',
      value: summary.p99,
      must: { of: 'value', atMost: 100 },
      detail: { ...summary, sets, perSecond },
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
  for (let n = 0; n < warmUp + count; n += 1) {
    await pause(Math.max(0, begun + (n * 1000) / perSecond - performance.now()));
    const flag = `flag-${n % sets}`;
    const share = String(Math.floor(n / sets) % 100);
    const body = { share, labels: { flag } };
    const signal = callApi(origin, `Bearer ${token}`, 'POST', '/api/signal-endpoint/bench', body);
    const answered = signal.then(() => (n < warmUp ? undefined : watch.expect(flag, share)));
    // Avoids an unhandledRejection; awaited below, when all signals have been sent.
    answered.catch(() => undefined);
    answers.push(answered);
  }
  await Promise.all(answers);
}

/** Reads the stream of an SDK and shows each flag that it tells of, until `stop` is aborted. */
async function readStream(origin: string, authorization: string, watch: Watch, stop: AbortSignal): Promise<void> {
  const request = get(`${origin}${path}`, { headers: { authorization, accept: 'text/event-stream' }, signal: stop });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}`);
  // Aborting the request ends the answer with an error.
  request.on('error', () => undefined);
  let text = '';
  try {
    for await (const piece of answer.setEncoding('utf8')) {
      const frames = `${text}${piece}`.split('\n\n');
      text = frames.pop() ?? '';
      for (const frame of frames) show(frame, watch);
    }
  } catch (error) {
    if (!stop.aborted) throw error;
  }
  if (!stop.aborted) throw new Error(`${path} has ended`);
}

function show(frame: string, watch: Watch): void {
  const data = frame.split('\n').find((line) => line.startsWith('data:'));
  if (data === undefined) return;
  const { events = [] } = JSON.parse(data.slice('data:'.length)) as Told;
  for (const { feature } of events) if (feature !== undefined) watch.show(feature);
}
