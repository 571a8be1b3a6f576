import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import { touches } from '#features/platform/event-effects/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Db, NewEvent, Tx } from '#storage/tx.ts';
import { goBack } from './commands.ts';
import { featureOf, record } from './find-plan.ts';
import { activeMilestone, type Plan, stateOf, tooManyHalts, withTime } from './plan.ts';
import { pauseEventData } from './present.ts';
import { readStoppedBy } from './stopped-by.ts';
import { plansAfter, plansOn, updatePlan } from './store.ts';

/** An event that a change records, or would record. */
type ChangeOfFlag = Pick<NewEvent, 'type' | 'featureName' | 'preData'>;

/** Returns the plans that run a strategy which these events update or remove, each with the reason to refuse that. */
export async function findLockedStrategies(
  db: Db,
  events: readonly ChangeOfFlag[],
): Promise<{ readonly plan: Plan; readonly reason: string }[]> {
  const changed = events.filter(({ type }) => type === 'feature-strategy-update' || type === 'feature-strategy-remove');
  const plans = await plansOn(db, namesOf(changed));
  const runs = new Map(plans.flatMap((plan) => activeMilestone(plan).strategies.map(({ id }) => [id, plan])));
  return changed.flatMap(({ preData }) => {
    const plan = runs.get((preData as { readonly id: string }).id);
    if (plan === undefined) return [];
    const reason = `The release plan ${plan.name} of the flag ${plan.featureName} runs this strategy in ${plan.environment}. Change the milestone ${activeMilestone(plan).name}, or remove the plan and keep its strategies.`;
    return [{ plan, reason }];
  });
}

/**
 * Rejects a change with 409 when it updates or removes a strategy that a plan runs. Decides from the recorded events,
 * so that the check holds for all commands and for imports.
 */
export const refuseChangesOfRunStrategies: BeforeCommit = async ({ db }, { events }) => {
  const [first] = await findLockedStrategies(db, events);
  if (first !== undefined)
    throw new Problem('ConflictError', first.reason, { extras: { releasePlanId: first.plan.id } });
  return undefined;
};

/**
 * Returns a check of each commit that stops the time of plans while their flag is off or held, or automation is
 * stopped, and restarts it afterwards. Records a hold or an override as a pause of the plan, and its end as a
 * resumption, unless the plan is paused. A plan that holds halted too often goes back to its first milestone.
 */
export function keepTimeOfPlans(limits: StrategyLimits): BeforeCommit {
  return async ({ db }, { events }) => {
    const changing = events.filter(changesState);
    const isOfAll = changing.some((event) => event.featureName == null && touches(event, 'automation-stops'));
    const plans = isOfAll ? await plansAfter(db, '', plansAtOnce) : await plansOn(db, namesOf(changing));
    if (plans.length === 0) return undefined;
    return async (tx) => {
      await keepTime(tx, limits, plans);
      if (isOfAll) await keepTimeAfter(tx, limits, plans);
    };
  };
}

/** Keeps the time of all plans after those of a page. */
async function keepTimeAfter(tx: Tx, limits: StrategyLimits, page: readonly Plan[]): Promise<void> {
  let plans = page;
  for (let last = plans.at(-1); last !== undefined; last = plans.at(-1)) {
    plans = await plansAfter(tx.db, last.id, plansAtOnce);
    if (plans.length > 0) await keepTime(tx, limits, plans);
  }
}

async function keepTime(tx: Tx, limits: StrategyLimits, plans: readonly Plan[]): Promise<void> {
  const stoppedBy = await readStoppedBy(tx.db, tx.now, namesOf(plans));
  for (const plan of plans) {
    const after = withTime(plan, tx.now, stoppedBy(plan));
    if (after.stoppedBy === plan.stoppedBy) continue;
    await updatePlan(tx, after);
    const reason = await recordHalt(tx, plan, after);
    if (reason !== undefined) await goBack(tx, limits, await featureOf(tx.db, plan), after, reason);
  }
}

/** The number of plans that are read at once when automation is stopped everywhere. */
const plansAtOnce = 50;

/** Records that a plan is halted, or no longer. Returns why the plan goes back, if a hold halted it too often. */
async function recordHalt(tx: Tx, before: Plan, after: Plan): Promise<string | undefined> {
  const [was, is] = [ownHalt(before), ownHalt(after)];
  // A paused plan stays paused, with and without a halt.
  if (after.pausedAt !== null || was === is) return undefined;
  const type = is === undefined ? 'release-plan-progressions-resumed' : 'release-plan-progressions-paused';
  const reason = is === undefined ? was?.ended : is.reason;
  const data = pauseEventData(after, reason ?? null);
  await record(tx, await featureOf(tx.db, after), after.environment, [{ type, data }]);
  return after.stoppedBy === 'hold' ? tooManyHalts(after) : undefined;
}

/**
 * Returns the halt that is recorded for a plan. A freeze and maintenance have one event for all plans, since an event
 * for each would send a message for each.
 */
function ownHalt(plan: Plan): (typeof ownHalts)[keyof typeof ownHalts] | undefined {
  const { stoppedBy } = plan;
  if (stoppedBy === 'hold') return ownHalts.hold;
  return stoppedBy === 'override' && stateOf(plan) === 'halted' ? ownHalts.override : undefined;
}

const ownHalts = {
  hold: { reason: 'The flag is held.', ended: 'The flag is no longer held.' },
  override: { reason: 'A person overrides automation.', ended: 'The override has ended.' },
} as const;

function changesState(event: NewEvent): boolean {
  return switches.has(event.type) || touches(event, 'holds') || touches(event, 'automation-stops');
}

const switches: ReadonlySet<string> = new Set([
  'feature-environment-enabled',
  'feature-environment-disabled',
  'feature-archived',
  'feature-revived',
]);

function namesOf(events: readonly { readonly featureName?: string | null | undefined }[]): string[] {
  return [...new Set(events.flatMap(({ featureName }) => featureName ?? []))];
}
