import { setTimeout as pause } from 'node:timers/promises';
import { callApi } from '../api.ts';
import type { Installation } from '../installation.ts';
import type { RunningServer } from '../server.ts';

/** A release plan that was added to a flag in `development`. */
export interface SeededPlan {
  readonly flag: string;
  readonly planId: string;
  readonly firstMilestoneId: string;
}

const project = '/api/admin/projects/default';
const callsAtOnce = 4;
const metric = 'bench_errors';
const storedWithinMs = 20_000;
/** So long that no milestone ends by its time while the bench runs. */
const longMinutes = 10_000;
const minuteMs = 60_000;

/** Returns the path of a flag in `development`. */
export const inDevelopment = (flag: string) => `${project}/features/${flag}/environments/development`;

const milestone = (rollout: string, more: object = {}) => ({
  name: `${rollout} %`,
  strategies: [{ name: 'flexibleRollout', parameters: { rollout, stickiness: 'userId' } }],
  ...more,
});

/** Adds a plan of three milestones to each flag in place of its strategies. The first lasts for days. */
export async function addPlans(
  server: RunningServer,
  adminToken: string,
  flags: readonly string[],
): Promise<SeededPlan[]> {
  const transitionCondition = { intervalMinutes: longMinutes };
  const milestones = [
    milestone('10', { transitionCondition }),
    milestone('50', { transitionCondition }),
    milestone('100'),
  ];
  return inParallel(flags, async (flag) => {
    type Plan = { id: string; milestones: { id: string }[] };
    const body = { milestones, strategies: 'remove' };
    const path = `${inDevelopment(flag)}/release-plans`;
    const plan = await callApi<Plan>(server.origin, adminToken, 'POST', path, body);
    return { flag, planId: plan.id, firstMilestoneId: plan.milestones[0]?.id ?? '' };
  });
}

/** Gives the first milestone of each plan a gate: for every second plan an approval, for the others evaluations. */
export async function addGates(server: RunningServer, adminToken: string, plans: readonly SeededPlan[]): Promise<void> {
  await inParallel(plans, async ({ flag, firstMilestoneId }, index) => {
    const gate = index % 2 === 0 ? { approval: { by: 'person' } } : { evaluations: 1_000_000 };
    const body = { transitionCondition: { intervalMinutes: 1, ...gate } };
    await callApi(server.origin, adminToken, 'PUT', `${inDevelopment(flag)}/progressions/${firstMilestoneId}`, body);
  });
}

/** Gives each plan a safeguard. All of them read one metric, which is reported and stays within the threshold. */
export async function addSafeguards(
  server: RunningServer,
  { adminToken, backendToken }: Pick<Installation, 'adminToken' | 'backendToken'>,
  plans: readonly SeededPlan[],
): Promise<void> {
  await reportMetric(server, backendToken);
  await untilStored(server, adminToken);
  const body = {
    impactMetric: {
      metricName: `unleash_counter_${metric}`,
      timeRange: 'hour',
      aggregationMode: 'count',
      labelSelectors: { environment: ['development'] },
      minutes: 5,
    },
    triggerCondition: { operator: '>', threshold: 1_000_000 },
  };
  await inParallel(plans, ({ flag, planId }) =>
    callApi(server.origin, adminToken, 'PUT', `${inDevelopment(flag)}/release-plans/${planId}/safeguards`, body),
  );
}

/** Reports the metric of the safeguards, as an SDK does each minute. */
export async function reportMetric(server: RunningServer, backendToken: string): Promise<void> {
  const samples = [{ value: 1 }];
  const impactMetrics = [{ name: metric, help: 'errors', type: 'counter', samples }];
  const body = { appName: 'bench', instanceId: 'bench', bucket: null, impactMetrics };
  await callApi(server.origin, backendToken, 'POST', '/api/client/metrics', body);
}

/** Waits until the buffered report is written. */
async function untilStored(server: RunningServer, adminToken: string): Promise<void> {
  const deadline = performance.now() + storedWithinMs;
  const path = '/api/admin/impact-metrics/names';
  for (;;) {
    const { metrics } = await callApi<{ metrics: unknown[] }>(server.origin, adminToken, 'GET', path);
    if (metrics.length > 0) return;
    if (performance.now() > deadline) throw new Error(`A reported metric was not stored within ${storedWithinMs} ms`);
    await pause(50);
  }
}

/**
 * Ends the minimum time of all plans on flags `<prefix><number>`, so that their gates are checked from now on, spread
 * evenly over `spreadMs`. The server must be stopped.
 */
export async function letTimeOfPlansEnd(
  installation: Installation,
  { prefix, count, spreadMs }: { readonly prefix: string; readonly count: number; readonly spreadMs: number },
): Promise<void> {
  const number = `cast(substr(feature_name, ${prefix.length + 1}) as integer)`;
  const ofPrefix = `feature_name like '${prefix}%'`;
  const stepMs = Math.floor(spreadMs / count);
  await installation.execute([
    `update release_plans set elapsed_ms = ${minuteMs}, next_at = ${Date.now()} + ${number} * ${stepMs}
      where ${ofPrefix}`,
    `delete from jobs where kind = 'release-plan-progression'`,
    `insert into jobs (kind, unique_key, payload, run_at, attempts)
      select 'release-plan-progression', 'release-plan-progression:' || id,
        '{"planId":"' || id || '","at":' || next_at || '}', next_at, 0
      from release_plans where next_at is not null`,
  ]);
}

/** Runs `work` for all items, a few at a time; returns the results in the order of the items. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  const worker = async () => {
    for (const [index, item] of waiting) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: callsAtOnce }, worker));
  return results;
}
