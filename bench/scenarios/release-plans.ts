import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../api.ts';
import { compareThroughput } from '../compare.ts';
import { createInstallation, type Installation } from '../installation.ts';
import { LatencyHistogram } from '../load/histogram.ts';
import type { Finding } from '../row.ts';
import type { Scenario, ScenarioContext } from '../scenario.ts';
import { seedFlags } from '../seed/flags.ts';
import {
  addGates,
  addPlans,
  addSafeguards,
  inDevelopment,
  letTimeOfPlansEnd,
  reportMetric,
  type SeededPlan,
} from '../seed/release-plans.ts';
import { seedSender } from '../seed/sender.ts';
import type { RunningServer } from '../server.ts';
import { openReaders } from '../streams/readers.ts';

const plans = 1000;
/** The interval at which gates and safeguards are checked. */
const minute = 60_000;
const settleMs = 5000;
const alertEveryMs = 200;
const connections = 8;
const gatedWithinMs = 3 * minute;

/** Measures what running release plans cost, how soon an alert halts a plan, and what plans add to a switched flag. */
export const releasePlans: Scenario = {
  name: 'release-plans',
  title: `${plans} running release plans; an alert that halts a plan, until SDKs have it; flags switched with plans`,
  engines: ['sqlite', 'postgres'],
  async run(context) {
    await using installation = await createInstallation(context);
    await (await installation.start()).stop();
    const count = context.count(plans);
    await seedFlags(installation, { count, project: 'default', prefix: 'flag-' });
    await seedFlags(installation, { count: connections, project: 'default', prefix: 'switched-' });
    await seedFlags(installation, { count: connections, project: 'default', prefix: 'without-' });
    const { idle, timed } = await costOfTimers(context, installation, count);
    await letTimeOfPlansEnd(installation, { prefix: 'flag-', count, spreadMs: context.ms(minute) });
    await using server = await installation.start({ SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND: '0' });
    const gated = await costOfGates(context, installation, server, count);
    return [
      { name: `idle server with ${count} flags and no plan`, unit: '% of a core', value: idle, detail: { idle } },
      costFinding(`${count} plans that wait for their time`, timed, idle),
      costFinding(`${count} plans at a closed gate, each with a safeguard`, gated, idle),
      ...(await alertUntilSeen(context, installation, server)),
      await switchedWithPlans(context, installation, server),
    ];
  },
};

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${prefix}${n}`);
}

function costFinding(name: string, share: number, idle: number): Finding {
  const must = { of: 'value', atMost: 5 } as const;
  return { name, unit: '% of a core', value: share - idle, must, detail: { share, idle } };
}

/** Returns the server's processor time over a period, in percent of one core. */
async function cpuShare(
  context: ScenarioContext,
  server: RunningServer,
  during?: () => Promise<void>,
): Promise<number> {
  const cpuMs = async () => (await server.usage())?.cpuMs ?? Number.NaN;
  const [before, begun] = [await cpuMs(), performance.now()];
  await during?.();
  await pause(Math.max(0, begun + context.ms(minute) - performance.now()));
  return (((await cpuMs()) - before) * 100) / (performance.now() - begun);
}

/**
 * Measures the server without plans, and with plans whose milestones last for days. Leaves all plans with the gates and
 * safeguards that are measured next.
 */
async function costOfTimers(context: ScenarioContext, installation: Installation, count: number) {
  const { adminToken } = installation;
  await using server = await installation.start();
  context.say('idle');
  await pause(context.ms(settleMs));
  const idle = await cpuShare(context, server);
  context.say(`${count} plans`);
  const added: readonly SeededPlan[] = await addPlans(server, adminToken, names('flag-', count));
  await addPlans(server, adminToken, names('switched-', connections));
  await pause(context.ms(settleMs));
  const timed = await cpuShare(context, server);
  context.say(`${count} gates and safeguards`);
  await addGates(server, adminToken, added);
  await addSafeguards(server, installation, added);
  return { idle, timed };
}

/** Waits until each plan has checked its gates and found one closed, then returns the server's share of a core. */
async function costOfGates(
  context: ScenarioContext,
  { adminToken, backendToken }: Installation,
  server: RunningServer,
  count: number,
): Promise<number> {
  const deadline = performance.now() + gatedWithinMs;
  const path = '/api/admin/release-plans?state=gated&limit=1';
  for (;;) {
    const { total } = await callApi<{ total: number }>(server.origin, adminToken, 'GET', path);
    if (total === count) break;
    if (performance.now() > deadline) throw new Error(`Only ${total} of ${count} plans wait at a gate`);
    await pause(context.ms(1000));
  }
  return cpuShare(context, server, () => reportMetric(server, backendToken));
}

/** Measures from sending a signal whose action holds a flag with a running plan, until a stream has the change. */
async function alertUntilSeen(
  context: ScenarioContext,
  installation: Installation,
  server: RunningServer,
): Promise<Finding[]> {
  const flag = 'flag-0';
  const times = context.count(300);
  context.say(`${times} alerts`);
  const signal = await holdBySignals(server, installation.adminToken, flag);
  await using readers = await openReaders({
    origin: server.origin,
    path: `/api/client/streaming?namePrefix=${flag}`,
    authorization: installation.backendToken,
    count: 1,
    opening: 'event: unleash-connected\n',
    change: 'event: unleash-updated\n',
  });
  const latency = new LatencyHistogram();
  for (let n = 0; n < times; n += 1) {
    const begun = performance.now();
    const [arrivals] = await Promise.all([readers.nextChange(), signal('firing')]);
    for (const arrival of arrivals) {
      // An arrival before the signal comes from another change; `record` throws for its negative time.
      latency.record(arrival - performance.timeOrigin - begun);
    }
    if (n === 0) await assertHalted(server, installation, flag);
    await Promise.all([readers.nextChange(), signal('resolved')]);
    await pause(Math.max(0, begun + context.ms(alertEveryMs) - performance.now()));
  }
  const detail = latency.summary();
  const finding = (percentile: 'p50' | 'p99') => ({
    name: `alert sent until its plan is halted on an open stream, ${percentile}`,
    unit: 'ms',
    value: detail[percentile],
    detail: { ...detail },
  });
  return [finding('p50'), { ...finding('p99'), must: { of: 'value', atMost: 100 } }];
}

/** Creates action sets that hold a flag off while an alert fires. Returns a function that sends the alert's signal. */
async function holdBySignals(server: RunningServer, adminToken: string, featureName: string) {
  const make = <Body>(to: string, body: unknown) => callApi<Body>(server.origin, adminToken, 'POST', to, body);
  const { path, token, endpointId, actorId } = await seedSender(server, adminToken);
  const place = { project: 'default', environment: 'development', featureName, key: 'alert' };
  const kinds = [
    { status: 'firing', action: 'HOLD_FEATURE', executionParams: { ...place, effect: 'off' } },
    { status: 'resolved', action: 'RELEASE_FEATURE', executionParams: place },
  ] as const;
  for (const { status, action, executionParams } of kinds) {
    await make('/api/admin/projects/default/actions', {
      name: status,
      actorId,
      match: {
        source: 'signal-endpoint',
        sourceId: endpointId,
        payload: { status: { operator: 'IN', values: [status] } },
      },
      actions: [{ action, sortOrder: 1, executionParams }],
    });
  }
  return (status: 'firing' | 'resolved') => callApi(server.origin, `Bearer ${token}`, 'POST', path, { status });
}

/** Throws unless SDKs get the flag as off and its plan is halted: a message on the stream alone does not prove that. */
async function assertHalted(server: RunningServer, installation: Installation, flag: string): Promise<void> {
  const { adminToken, backendToken } = installation;
  type Features = { features: { name: string; enabled: boolean }[] };
  const path = `/api/client/features?namePrefix=${flag}`;
  const { features } = await callApi<Features>(server.origin, backendToken, 'GET', path);
  type Plans = { progress: { state: string } }[];
  const ofFlag = `${inDevelopment(flag)}/release-plans`;
  const [plan] = await callApi<Plans>(server.origin, adminToken, 'GET', ofFlag);
  const enabled = features.find(({ name }) => name === flag)?.enabled;
  if (enabled !== false || plan?.progress.state !== 'held')
    throw new Error(
      `After the alert, ${flag} must be off and its plan held; enabled is ${enabled}, the plan is ${plan?.progress.state}`,
    );
}

/** Compares switching flags that have a running plan with switching flags without one. */
function switchedWithPlans(
  context: ScenarioContext,
  { adminToken: authorization }: Installation,
  server: RunningServer,
): Promise<Finding> {
  const switches = (prefix: string) => ({
    server,
    requests: ['off', 'on'].map((state) => ({
      method: 'POST',
      path: `${inDevelopment(`${prefix}{{connection}}`)}/${state}`,
      headers: { authorization },
    })),
  });
  return compareThroughput(
    context,
    { name: `flags with a plan switched, ${connections} at a time`, unit: 'changes/s', connections },
    { name: 'without a plan', ...switches('without-') },
    switches('switched-'),
  );
}
