import { expect } from 'vitest';
import { expectSound } from './audit-database.ts';
import { callApi, countEvents } from './http-call.ts';
import type { Query, Storage } from './storage.ts';

const environment = 'development';
const kind = 'release-plan-progression';
const started = 'release-plan-milestone-started';
/** Each milestone serves its flag to this percentage of users. */
const rollouts = [10, 40, 70, 100];

/** The number of starts of milestones per plan that happen because the time of the milestone before is over. */
export const startsByTime = rollouts.length - 1;

/**
 * A flag with a release plan. Its milestones last for an hour, and {@link moveNextMilestones} changes when they are
 * due.
 */
export interface PlannedFlag {
  readonly name: string;
  readonly planId: string;
  readonly milestones: readonly Milestone[];
}

interface Milestone {
  readonly id: string;
  readonly strategies: readonly { readonly id: string }[];
}

/** Creates flags that are on and have a release plan. */
export async function givenPlannedFlags(origin: string, token: string, count: number): Promise<PlannedFlag[]> {
  const post = (path: string, body: object): Promise<unknown> =>
    callApi(origin, { method: 'POST', path: `/api/admin/projects/default/features${path}`, token }, body);
  const milestones = rollouts.map((rollout) => ({
    name: `${rollout} %`,
    transitionCondition: rollout === 100 ? null : { intervalMinutes: 60 },
    strategies: [{ name: 'flexibleRollout', parameters: { rollout: String(rollout), stickiness: 'userId' } }],
  }));
  const flags: PlannedFlag[] = [];
  for (let n = 0; n < count; n++) {
    const name = `planned-${n}`;
    await post('', { name });
    await post(`/${name}/environments/${environment}/on`, {});
    const plan = { name: 'Release gradually', milestones, strategies: 'remove' };
    const added = await post(`/${name}/environments/${environment}/release-plans`, plan);
    const { id, milestones: own } = added as { id: string; milestones: Milestone[] };
    flags.push({ name, planId: id, milestones: own });
  }
  return flags;
}

/** Returns how many milestones have started, the first of each plan included. */
export function startedMilestones(origin: string, token: string): Promise<number> {
  return countEvents(origin, token, started);
}

/**
 * Changes the stored times of plans: the next milestone of the first plan is due at `from`, and that of each further
 * plan `stepMs` later. Returns the number of plans that wait for a milestone.
 */
export function moveNextMilestones(storage: Storage, from: number, stepMs: number): Promise<number> {
  return storage.change(async (query) => {
    const waiting = await query<{ id: string; next_at: number }>(
      'select id, next_at from release_plans where next_at is not null order by id',
    );
    for (const [n, { id, next_at: before }] of waiting.entries()) {
      const at = from + n * stepMs;
      const payload = (time: number) => `'${JSON.stringify({ planId: id, at: time })}'`;
      await query(
        `update release_plans set next_at = ${at}, elapsed_ms = elapsed_ms + ${Number(before) - at} where id = '${id}'`,
      );
      const moved = await query(
        `update jobs set run_at = ${at}, payload = ${payload(at)}
          where kind = '${kind}' and payload = ${payload(Number(before))} returning id`,
      );
      expect(moved).toHaveLength(1);
    }
    return waiting.length;
  });
}

/**
 * Expects that each milestone has started once, in order, up to the active one; that each flag has the strategies of
 * its active milestone; that a job waits for each further milestone; and that the database is sound. Returns how many
 * milestones have started.
 */
export async function expectStartedOnce(
  query: Query,
  engine: Storage['engine'],
  flags: readonly PlannedFlag[],
): Promise<number> {
  const rows = await query<{ feature_name: string; data: string }>(
    `select feature_name, data from events where type = '${started}' order by id`,
  );
  const startsOf = Map.groupBy(rows, (row) => row.feature_name);
  const actives = new Map<string, number>();
  for (const { name, milestones } of flags) {
    const starts = (startsOf.get(name) ?? []).map(({ data }) => JSON.parse(data) as Started);
    const upTo = milestones.slice(0, starts.length);
    expect(starts.map(({ milestoneId }) => milestoneId)).toEqual(upTo.map(({ id }) => id));
    expect(starts.map(({ trigger }) => trigger)).toEqual(upTo.map((_, index) => (index === 0 ? 'added' : 'time')));
    actives.set(name, starts.length - 1);
  }
  await expectServed(query, flags, actives);
  await expectSound(query, engine);
  return rows.length;
}

interface Started {
  readonly milestoneId: string;
  readonly trigger: string;
}

/** Expects that the plan, the strategies and the job of each flag are those of its active milestone. */
async function expectServed(query: Query, flags: readonly PlannedFlag[], actives: ReadonlyMap<string, number>) {
  const plans = await query<{ id: string; active_milestone_id: string; next_at: number | null }>(
    'select id, active_milestone_id, next_at from release_plans',
  );
  const strategies = await query<{ id: string; feature_name: string; parameters: string }>(
    `select id, feature_name, parameters from feature_strategies where environment = '${environment}'`,
  );
  const jobs = await query<{ payload: string }>(`select payload from jobs where kind = '${kind}'`);
  expect(plans).toHaveLength(flags.length);
  for (const { name, planId, milestones } of flags) {
    const active = actives.get(name) ?? -1;
    const plan = plans.find(({ id }) => id === planId);
    expect(plan?.active_milestone_id).toBe(milestones[active]?.id);
    const served = strategies.filter(({ feature_name }) => feature_name === name);
    expect(served.map(({ id }) => id)).toEqual(milestones[active]?.strategies.map(({ id }) => id));
    expect(served.map(({ parameters }) => JSON.parse(parameters).rollout)).toEqual([String(rollouts[active])]);
    expect(plan?.next_at === null).toBe(active === milestones.length - 1);
    const times = jobs.map(({ payload }) => JSON.parse(payload)).filter((job) => job.planId === planId);
    expect(times.map(({ at }) => at)).toEqual(plan?.next_at === null ? [] : [Number(plan?.next_at)]);
  }
}
