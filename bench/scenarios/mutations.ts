import { closedLoad } from '../compare.ts';
import { startFloor } from '../floors/start.ts';
import { createInstallation } from '../installation.ts';
import { interleave } from '../interleave.ts';
import { aloneLatency } from '../latency.ts';
import type { RequestTemplate } from '../load/request.ts';
import { measureLoad, throughput } from '../load/throughput.ts';
import type { Engine, Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';
import type { RunningServer } from '../server.ts';

const connections = 8;
const seededFlags = 1000;
/** The least ratio of changes per second to requests per second of an echo on bare `node:http`, in the same run. */
const leastPerEcho: Readonly<Record<Engine, number>> = { sqlite: 0.025, postgres: 0.012 };

/** A kind of change, measured with 8 clients that each send the next change when the last one is answered. */
interface ChangeKind {
  readonly name: string;
  readonly requests: readonly Omit<RequestTemplate, 'headers'>[];
  readonly status: number;
  readonly maxRequests?: number;
}

const project = '/api/admin/projects/default';
const environmentOf = (flag: string, environment: string) => `${project}/features/${flag}/environments/${environment}`;

const constraint = {
  contextName: 'country',
  operator: 'IN',
  values: ['at', 'ch', 'de', 'fr', 'it'],
  inverted: false,
  caseInsensitive: false,
};
const parameters = { rollout: '50', stickiness: 'default', groupId: 'bench' };

/** Returns the requests that switch a flag off and on again. */
const toggles = (flag: string) =>
  ['off', 'on'].map((state) => ({ method: 'POST', path: `${environmentOf(flag, 'development')}/${state}` }));

const kinds: readonly ChangeKind[] = [
  { name: 'flags switched', status: 200, requests: toggles('flag-{{connection}}') },
  {
    name: 'flags created',
    status: 201,
    requests: [{ method: 'POST', path: `${project}/features`, body: JSON.stringify({ name: 'created-{{id}}' }) }],
  },
  {
    name: 'strategies added',
    status: 200,
    // One strategy for each flag: there are no more flags.
    maxRequests: seededFlags,
    requests: [
      {
        method: 'POST',
        path: `${environmentOf('flag-{{n}}', 'production')}/strategies`,
        body: JSON.stringify({ name: 'flexibleRollout', parameters, constraints: [constraint] }),
      },
    ],
  },
  {
    name: 'segments created',
    status: 201,
    requests: [
      {
        method: 'POST',
        path: '/api/admin/segments',
        body: JSON.stringify({ name: 'segment-{{id}}', constraints: [constraint] }),
      },
    ],
  },
];

/**
 * Measures changes through the admin API: 8 clients that switch and create, and one client alone that switches a flag.
 */
export const mutations: Scenario = {
  name: 'mutations',
  title: 'flags, strategies and segments changed over the administration API',
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    await seedFlags(installation, { count: seededFlags, project: 'default', prefix: 'flag-' });
    await using server = await installation.start({
      UNLEASH_FEATURE_FLAGS_LIMIT: '1000000',
      UNLEASH_SEGMENTS_LIMIT: '1000000',
    });
    await using echo = await startFloor('node-echo');
    const least = leastPerEcho[installation.engine];
    const headers = { authorization: installation.adminToken };
    // A server that has just started is slower for its first ten thousand changes.
    const warmup = { ...closedLoad(context, connections), origin: server.origin, durationMs: context.ms(10_000) };
    const requests = toggles('flag-{{connection}}').map((request) => ({ ...request, headers }));
    await measureLoad({ ...warmup, requests }, [200], context.say);
    const findings = await switchedAlone(context, server, headers);
    for (const kind of kinds) findings.push(await measureKind(context, { server, echo, headers, least }, kind));
    return findings;
  },
};

interface Subjects {
  readonly server: RunningServer;
  readonly echo: RunningServer;
  readonly headers: Readonly<Record<string, string>>;
  readonly least: number;
}

async function measureKind(
  context: ScenarioContext,
  { server, echo, headers, least }: Subjects,
  { name, requests, status, maxRequests }: ChangeKind,
): Promise<Finding> {
  context.say(name);
  const job = {
    ...closedLoad(context, connections),
    origin: server.origin,
    requests: requests.map((request) => ({
      ...request,
      headers: { ...headers, ...('body' in request && { 'content-type': 'application/json' }) },
    })),
    ...(maxRequests !== undefined && { maxRequests }),
  };
  const kilobyte = { method: 'POST', path: '/', body: JSON.stringify('x'.repeat(1022)) };
  const echoes = { ...closedLoad(context, 50), origin: echo.origin, requests: [kilobyte] };
  const latencies: unknown[] = [];
  const compared = await interleave(
    context.rounds,
    () => throughput(echoes, [200], context.say),
    async () => {
      const { perSecond, latency } = await measureLoad(job, [status], context.say);
      latencies.push(latency);
      return perSecond;
    },
  );
  return {
    name: `${name}, ${connections} at a time`,
    unit: 'changes/s',
    value: compared.value,
    floor: { name: 'node:http echo', value: compared.floor },
    ratio: compared.ratio,
    range: compared.range,
    must: { of: 'ratio', atLeast: least },
    detail: { rounds: compared.rounds, latencies },
  };
}

/** Measures how long a client waits for a flag to be switched while there are no other changes. */
async function switchedAlone(
  context: ScenarioContext,
  server: RunningServer,
  headers: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  context.say('a flag switched alone');
  const [off, on] = toggles('flag-0').map((request) => ({ ...request, headers }));
  if (off === undefined || on === undefined) throw new Error('toggles() returns two requests');
  const latency = await aloneLatency(context, server, [off, on], { durationMs: 5000 });
  const finding = (percentile: 'p50' | 'p99', atMost: number): Finding => ({
    name: `flag switched alone, ${percentile}`,
    unit: 'ms',
    value: latency[percentile],
    must: { of: 'value', atMost },
    detail: { ...latency },
  });
  return [finding('p50', 5), finding('p99', 20)];
}
