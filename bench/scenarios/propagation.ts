import { createInstallation, type Installation } from '../installation.ts';
import { LatencyHistogram } from '../load/histogram.ts';
import { createRawClient, type RawAnswer, type RawClient } from '../raw-client.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';

const path = '/api/client/features';
const flag = 'flag-0';
const environment = 'development';
const pollAtMostMs = 5000;

/** Measures the time from switching a flag to the answer with the new state that a polling SDK gets. */
export const propagation: Scenario = {
  name: 'propagation',
  title: `a flag switched, until it shows in GET ${path} among 1,000`,
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: 1000, project: 'default', prefix: 'flag-' });
    await using server = await installation.start();
    const findings = [
      await measure(context, installation, server, server, 'identity'),
      await measure(context, installation, server, server, 'gzip'),
    ];
    if (installation.engine === 'sqlite') return findings;
    await using other = await installation.start();
    return [...findings, await measure(context, installation, server, other, 'identity', ', at another process')];
  },
};

async function measure(
  context: ScenarioContext,
  installation: Installation,
  changed: RunningServer,
  polled: RunningServer,
  encoding: 'identity' | 'gzip',
  where = '',
): Promise<Finding> {
  const name = `flag switched until seen, ${encoding === 'identity' ? 'plain' : encoding}${where}`;
  context.say(name);
  using admin = createRawClient(changed.origin, { authorization: installation.adminToken });
  const headers = { authorization: installation.backendToken, 'accept-encoding': encoding };
  using sdk = createRawClient(polled.origin, headers);
  const latency = new LatencyHistogram();
  let known = await untilOther(sdk, undefined);
  for (let n = 0; n < context.count(200); n += 1) {
    const state = n % 2 === 0 ? 'off' : 'on';
    const startedAt = performance.now();
    const polling = untilOther(sdk, known.headers.etag);
    const [answer, change] = await Promise.all([
      polling.then((seen) => ({ seen, at: performance.now() })),
      toggle(admin, state),
    ]);
    if (change.status !== 200) throw new Error(`Switching ${state} was answered ${change.status}`);
    latency.record(answer.at - startedAt);
    known = answer.seen;
    if (encoding === 'identity') assertShows(known, state);
  }
  const detail = latency.summary();
  return {
    name: `${name}, p99`,
    unit: 'ms',
    value: detail.p99,
    must: { of: 'value', atMost: 50 },
    detail: { ...detail },
  };
}

function toggle(admin: RawClient, state: 'on' | 'off'): Promise<RawAnswer> {
  return admin.send('POST', `/api/admin/projects/default/features/${flag}/environments/${environment}/${state}`);
}

/** Sends a request after each answer, until an answer differs from the known one. */
async function untilOther(sdk: RawClient, etag: string | undefined): Promise<RawAnswer> {
  const deadline = performance.now() + pollAtMostMs;
  while (performance.now() < deadline) {
    const answer = await sdk.send('GET', path, etag === undefined ? {} : { 'if-none-match': etag });
    if (answer.status === 200) return answer;
    if (answer.status !== 304) throw new Error(`${path} was answered ${answer.status}`);
  }
  throw new Error(`A change did not show within ${pollAtMostMs} ms`);
}

/** Throws unless the answer shows the flag in this state: a new ETag alone does not prove that. */
function assertShows(answer: RawAnswer, state: 'on' | 'off'): void {
  const { features } = JSON.parse(answer.body.toString()) as { features: { name: string; enabled: boolean }[] };
  const enabled = features.find((feature) => feature.name === flag)?.enabled;
  if (enabled !== (state === 'on')) throw new Error(`Switched ${state}, ${flag} shows enabled: ${enabled}`);
}
