import { createInstallation, type Installation } from '../installation.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { freePort, type RunningServer } from '../server.ts';
import { fillForStalls, named } from '../stalls/fill.ts';
import { everyGet, readsOfAll, type StallRequest } from '../stalls/requests.ts';

const mustMs = 50;
/**
 * Requests are measured on this many servers, and the shorter stall counts: garbage collection runs at random times.
 */
const servers = 2;

const probe = new URL('../stalls/probe.ts', import.meta.url).href;

/** The longest time that the server's event loop was blocked, in ms of processor time, by the name of the request. */
type Stalls = Map<string, number>;

/** Measures each read alone, on a server that has just started. */
export const stalls: Scenario = {
  name: 'stalls',
  title: 'event loop stalls of every GET route at 10,000 flags and 1,000 applications of 100 instances',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    context.say('filling a database');
    const size = context.smoke
      ? { projects: 2, flagsPerProject: 10, people: 4, applications: 10, instancesEach: 5, events: 100 }
      : { projects: 50, flagsPerProject: 200, people: 100, applications: 1000, instancesEach: 100, events: 100_000 };
    const filled = await fillForStalls(installation, size);
    let requests = [...everyGet(installation, filled), ...readsOfAll(installation, named.project, named.flag)];
    const least: Stalls = new Map();
    for (let server = 0; server < (context.smoke ? 1 : servers); server++) {
      for (const [name, ms] of await measure(context, installation, requests)) {
        least.set(name, Math.min(ms, least.get(name) ?? ms));
      }
      requests = requests.filter(({ name }) => (least.get(name) ?? 0) > mustMs);
    }
    const longest = [...least].toSorted(([, a], [, b]) => b - a);
    return longest.slice(0, 10).map(([name, value], index) => ({
      name: `${index === 0 ? `longest of ${longest.length} requests: ` : ''}${name}, event loop stall`,
      unit: 'ms',
      value,
      must: { of: 'value', atMost: mustMs },
      ...(index === 0 ? { detail: { all: Object.fromEntries(longest) } } : {}),
    }));
  },
};

async function measure(
  context: ScenarioContext,
  installation: Installation,
  requests: readonly StallRequest[],
): Promise<Stalls> {
  const found: Stalls = new Map();
  if (requests.length === 0) return found;
  const wrong: string[] = [];
  const port = await freePort();
  await using server = await installation.start({
    NODE_OPTIONS: `--import ${probe}`,
    STALL_PROBE_PORT: String(port),
    UNLEASH_FEATURE_FLAGS_LIMIT: '1000000',
  });
  for (const request of requests) {
    // Reading the probe resets it.
    await longestMs(port);
    const fault = await ask(server, request);
    if (fault !== undefined) wrong.push(fault);
    const ms = await longestMs(port);
    if (ms > mustMs) context.say(`${request.name}: ${ms.toFixed(0)} ms`);
    found.set(request.name, ms);
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return found;
}

async function longestMs(port: number): Promise<number> {
  return Number(await (await fetch(`http://127.0.0.1:${port}/`)).text());
}

/** Sends a request and reads the whole answer. Returns a message when the status is not the expected one. */
async function ask(
  { origin }: RunningServer,
  { name, method, path, headers, freshBody, body = freshBody?.(), status, endless }: StallRequest,
): Promise<string | undefined> {
  const response = await fetch(origin + path, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    redirect: 'manual',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.status !== status) {
    return `${name} (${path}) was answered ${response.status}: ${(await response.text()).slice(0, 500)}`;
  }
  if (response.body === null) return undefined;
  for await (const _piece of response.body) if (endless) break;
  return undefined;
}
