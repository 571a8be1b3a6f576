import { type Feature, requireFeature, requireUsable } from '#features/flags/feature/index.ts';
import type { Hold } from '#features/flags/held-state/index.ts';
import { listHolds, releaseSelected } from '#features/flags/holds/index.ts';
import {
  checkAndRevise,
  exchangeStrategies,
  listStrategies,
  type Strategy,
  type StrategyInput,
  type StrategyLimits,
  strategyEventData,
} from '#features/flags/strategies/index.ts';
import {
  checkCondition,
  inOrder,
  type Milestone,
  type MilestoneStrategy,
  presentCondition,
  presentMilestoneStrategy,
  toMilestones,
  withCondition,
} from '#features/releases/release-templates/index.ts';
import { permissionProblem } from '#http/permission.ts';
import { systemActor } from '#kernel/actor.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import { isSameJson } from '#kernel/same-json.ts';
import type { Db, Tx } from '#storage/tx.ts';
import {
  noSuch,
  type Place,
  planIn,
  record,
  requireInEnvironment,
  requireMilestone,
  requirePlan,
  requirePlanIn,
} from './find-plan.ts';
import type { LookedAt } from './gates/index.ts';
import { patienceOf } from './patience.ts';
import {
  activeMilestone,
  milestoneAfter,
  type Plan,
  type StartTrigger,
  stateOf,
  withStarted,
  withTime,
} from './plan.ts';
import { type NewPlan, ofMilestone, planSource, toRow, toStrategy } from './plan-source.ts';
import { pauseEventData, planEventData, presentGates, shadowData } from './present.ts';
import { readStoppedBy } from './stopped-by.ts';
import * as store from './store.ts';

/** Returns the plan of a flag in an environment. Rejects with 404 for an unknown flag or environment. */
export async function planOf(db: Db, place: Place): Promise<Plan | undefined> {
  await requireFeature(db, place);
  await requireInEnvironment(db, place);
  return planIn(db, place);
}

/**
 * Adds a plan to a flag in an environment and starts its first milestone. Rejects with 409 when the flag has a plan
 * there, or is held at a milestone of one that was removed; with 400 for a milestone without an active strategy, which
 * would turn the flag on for everyone. In shadow mode, the strategies of the flag stay as they are.
 */
export async function addPlan(tx: Tx, limits: StrategyLimits, place: Place, body: NewPlan): Promise<Plan> {
  const feature = await requireUsable(tx.db, place);
  await requireInEnvironment(tx.db, place);
  const { featureName, environment } = place;
  if ((await planIn(tx.db, place)) !== undefined)
    throw new Problem('ConflictError', `The flag ${featureName} has a release plan in ${environment} already.`);
  await requireNotHeldAtMilestone(tx.db, place);
  const source = await planSource(tx, place, body);
  const check = toStrategy(tx, limits, place);
  const milestones = await toMilestones(tx.db, place, source.milestones, [], (input) => check(input, source.kept));
  for (const [index, { strategies }] of milestones.entries()) {
    if (!strategies.some(({ disabled }) => !disabled))
      throw badField(`milestones.${index}.strategies`, 'must contain an active strategy');
  }
  const [first] = milestones;
  if (first === undefined) throw badField('milestones', 'must not be empty');
  const { shadow = false, strategies: ofFlag } = body;
  const own = ofFlag === 'remove' && !shadow ? await listStrategies(tx.db, [featureName], environment) : [];
  const added: Plan = {
    id: newId(),
    featureName,
    environment,
    name: source.name,
    description: source.description,
    templateId: body.templateId ?? null,
    milestones,
    activeMilestoneId: first.id,
    shadow,
    pausedAt: null,
    pauseReason: null,
    stoppedBy: (await readStoppedBy(tx.db, tx.now, [featureName]))(place),
    elapsedMs: 0,
    runningSince: null,
    nextAt: null,
    gatedAt: null,
    maxHalts: body.maxHalts ?? null,
    ...patienceOf(body),
    halts: 0,
    createdByUserId: tx.by.actor.userId,
    createdAt: tx.now,
  };
  await store.insertPlan(tx, added);
  await record(tx, feature, environment, [
    { type: 'release-plan-added', data: planEventData(added) },
    ...own.map((strategy) => ({ type: 'feature-strategy-remove' as const, preData: strategyEventData(strategy) })),
  ]);
  return start(tx, limits, feature, added, first, { trigger: 'added', replaces: own, isFirst: true });
}

/** Rejects with 409 when the flag is held at a milestone: SDKs would get its strategies beside those of a new plan. */
async function requireNotHeldAtMilestone(db: Db, { featureName, environment }: Place): Promise<void> {
  const holds = await listHolds(db, featureName);
  const held = holds.find((hold) => hold.environment === environment && hold.milestone !== null);
  if (held !== undefined)
    throw new Problem(
      'ConflictError',
      `The flag ${featureName} is held in ${environment} at the milestone ${held.milestone?.name} of a release plan that was removed. Release the hold first.`,
    );
}

/**
 * Removes a plan. With `keep` the flag takes over the strategies of its milestone; otherwise a flag that has no other
 * active strategy is switched off, and holds at a milestone of the plan are released, because they serve its
 * strategies.
 */
export async function removePlan(
  tx: Tx,
  limits: StrategyLimits,
  ref: Place & { readonly planId: string },
  strategies: 'keep' | 'remove',
): Promise<void> {
  const { feature, plan } = await requirePlan(tx.db, ref);
  await store.deletePlan(tx, plan.id);
  const isOfPlan = ({ milestone }: Hold) => plan.milestones.some(({ id }) => id === milestone?.id);
  // Its safeguards are deleted with it.
  await releaseSelected(
    tx,
    ref,
    (hold) => hold.holder.kind === 'safeguard' || (strategies === 'remove' && isOfPlan(hold)),
  );
  await record(tx, feature, ref.environment, [{ type: 'release-plan-removed', preData: planEventData(plan) }]);
  if (strategies === 'keep' || plan.shadow) return;
  const remove = new Set(activeMilestone(plan).strategies.map(({ id }) => id));
  await record(tx, feature, ref.environment, await exchangeStrategies(tx, limits, ref, { remove, add: [] }));
}

/** How a person starts a milestone. */
export interface StartOptions {
  /** Whether the shadow mode of the plan ends. */
  readonly endsShadow?: boolean | undefined;
  /** Whether the flag keeps its own strategies when the shadow mode ends; `keep` when absent. */
  readonly strategies?: 'keep' | 'remove' | undefined;
  /** Whether the person may only go back. */
  readonly mustBeEarlier?: boolean | undefined;
}

/**
 * Starts a milestone of a plan. When the milestone is active already, its time starts anew. Rejects with 403 when the
 * milestone must be earlier than the active one and is not.
 */
export async function startMilestone(
  tx: Tx,
  limits: StrategyLimits,
  ref: Place & { readonly planId: string; readonly milestoneId: string },
  { endsShadow = false, strategies, mustBeEarlier = false }: StartOptions = {},
): Promise<{ readonly plan: Plan; readonly milestone: Milestone }> {
  const { feature, plan } = await requirePlan(tx.db, ref);
  const milestone = requireMilestone(plan, ref.milestoneId);
  if (mustBeEarlier && plan.milestones.indexOf(milestone) >= plan.milestones.indexOf(activeMilestone(plan)))
    throw permissionProblem(['UPDATE_FEATURE_STRATEGY'], `in ${ref.environment} to start this milestone`);
  const after =
    plan.shadow && endsShadow
      ? await leaveShadow(tx, limits, feature, plan, milestone, strategies === 'remove')
      : await start(tx, limits, feature, plan, milestone, { trigger: 'person' });
  return { plan: after, milestone: activeMilestone(after) };
}

/** Starts a milestone of a plan in shadow mode for real. Its strategies replace those of the flag, or join them. */
async function leaveShadow(
  tx: Tx,
  limits: StrategyLimits,
  feature: Feature,
  plan: Plan,
  milestone: Milestone,
  replacesOwn: boolean,
): Promise<Plan> {
  const own = replacesOwn ? await listStrategies(tx.db, [feature.name], plan.environment) : [];
  await record(
    tx,
    feature,
    plan.environment,
    own.map((strategy) => ({ type: 'feature-strategy-remove' as const, preData: strategyEventData(strategy) })),
  );
  const stoppedBy = (await readStoppedBy(tx.db, tx.now, [feature.name]))(plan);
  const options = { trigger: 'person', replaces: own, isFirst: true } as const;
  return start(tx, limits, feature, { ...plan, shadow: false, stoppedBy }, milestone, options);
}

/** Pauses a plan; the active milestone stays active. Records no event when the plan is paused already. */
export async function pausePlan(
  tx: Tx,
  ref: Place & { readonly planId: string },
  reason: string | null = null,
): Promise<void> {
  const { feature, plan } = await requirePlan(tx.db, ref);
  if (plan.pausedAt === null) await setPaused(tx, feature, plan, tx.now, reason);
}

/** Resumes a paused plan. Records no event when it is not paused. */
export async function resumePlan(tx: Tx, ref: Place & { readonly planId: string }): Promise<void> {
  const { feature, plan } = await requirePlan(tx.db, ref);
  if (plan.pausedAt !== null) await setPaused(tx, feature, { ...plan, halts: 0 }, null, null);
}

/**
 * Sets the gates of a milestone, after which the next milestone starts; null when a person starts the next one. Rejects
 * with 404 when the flag's plan has no such milestone, and with 400 when the milestone is the last, `target` is not the
 * next one, or a gate can never open.
 */
export async function setProgression(
  tx: Tx,
  ref: Place & { readonly milestoneId: string },
  condition: Milestone['transitionCondition'],
  target?: string | undefined,
): Promise<{ readonly plan: Plan; readonly source: Milestone; readonly next: Milestone }> {
  const { feature, plan } = await requirePlanIn(tx.db, ref, ref.milestoneId, 'milestone');
  await checkCondition(tx.db, { project: ref.project }, condition);
  const source = requireMilestone(plan, ref.milestoneId);
  const next = milestoneAfter(plan, source.id);
  if (next === undefined) throw badField('id', `must not be the last milestone, ${source.name}`);
  if (target !== undefined && target !== next.id)
    throw badField('targetMilestone', `must be ${next.id}, the milestone after ${source.name}`);
  const [preData, data] = [source.transitionCondition, condition].map(
    (transitionCondition) =>
      transitionCondition && {
        planId: plan.id,
        planName: plan.name,
        sourceMilestone: source.id,
        targetMilestone: next.id,
        transitionCondition: presentCondition(transitionCondition),
      },
  );
  if (JSON.stringify(preData) === JSON.stringify(data)) return { plan, source, next };
  const milestones = plan.milestones.map((milestone) =>
    milestone.id === source.id ? withCondition(milestone, condition) : milestone,
  );
  const after = { ...plan, milestones };
  await store.updatePlan(tx, withTime(after, tx.now));
  const verb = preData == null ? 'created' : data == null ? 'deleted' : 'updated';
  await record(tx, feature, ref.environment, [
    {
      type: `milestone-progression-${verb}` as const,
      ...(data == null ? {} : { data }),
      ...(preData == null ? {} : { preData }),
    },
  ]);
  return { plan: after, source, next };
}

/** Updates a strategy of a milestone, which is served at once when the milestone is active. */
export async function changeMilestoneStrategy(
  tx: Tx,
  limits: StrategyLimits,
  ref: Place & { readonly strategyId: string },
  input: StrategyInput,
): Promise<{ readonly strategy: MilestoneStrategy; readonly milestone: Milestone }> {
  const { feature, plan } = await requirePlanIn(tx.db, ref, ref.strategyId, 'strategy');
  const milestone = plan.milestones.find(({ strategies }) => strategies.some(({ id }) => id === ref.strategyId));
  const before = milestone?.strategies.find(({ id }) => id === ref.strategyId);
  if (milestone === undefined || before === undefined) throw noSuch('strategy', ref.strategyId, ref);
  const after = ofMilestone(await checkAndRevise(tx.db, limits, ref, toRow(before, plan, tx.now), input));
  const strategies = inOrder(milestone.strategies.map((strategy) => (strategy.id === after.id ? after : strategy)));
  if (!strategies.some(({ disabled }) => !disabled)) throw badField('disabled', 'must leave an active strategy');
  const changed: Plan = {
    ...plan,
    milestones: plan.milestones.map((same) => (same.id === milestone.id ? { ...same, strategies } : same)),
  };
  const [preData, data] = [planEventData(plan), planEventData(changed)];
  if (isSameJson(preData, data)) return { strategy: before, milestone };
  await store.updatePlan(tx, changed);
  if (milestone.id === plan.activeMilestoneId && !plan.shadow) {
    await exchangeStrategies(tx, limits, ref, {
      remove: new Set(strategies.map(({ id }) => id)),
      add: strategies.map((strategy) => toRow(strategy, plan, tx.now)),
    });
  }
  await record(tx, feature, ref.environment, [{ type: 'release-plan-updated', preData, data }]);
  return { strategy: after, milestone };
}

/** Starts the first milestone of a plan that was halted too often, and pauses the plan until a person resumes it. */
export async function goBack(
  tx: Tx,
  limits: StrategyLimits,
  feature: Feature,
  plan: Plan,
  reason: string,
): Promise<void> {
  const [first] = plan.milestones;
  if (first === undefined) throw new Error(`the release plan ${plan.id} has no milestone`);
  const started = await tryStart(tx, limits, feature, plan, first, { trigger: 'halts' });
  if (started !== undefined) await setPaused(tx, feature, started, tx.now, reason);
}

/**
 * Starts a milestone and returns the plan. When the milestone cannot start, for example because a segment was deleted,
 * pauses the plan with the reason and returns undefined.
 */
export async function tryStart(
  tx: Tx,
  limits: StrategyLimits,
  feature: Feature,
  plan: Plan,
  next: Milestone,
  options: Start,
): Promise<Plan | undefined> {
  try {
    // The start was allowed when the plan was added, so the system makes it: the author of the change that causes it,
    // for example of a hold, may lack the permission or need a review.
    const author = { actor: systemActor, cause: tx.by.cause };
    return await tx.nested(author, (part) => start(part, limits, feature, plan, next, options));
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await setPaused(tx, feature, plan, tx.now, `The milestone ${next.name} could not start: ${error.message}`);
    return undefined;
  }
}

interface Start {
  readonly trigger: StartTrigger;
  /** The gates that opened before the start, for the event. */
  readonly gates?: readonly LookedAt[];
  /** The flag's own strategies that the strategies of the milestone replace. */
  readonly replaces?: readonly Strategy[];
  /** Whether the flag has no strategies of the plan yet. */
  readonly isFirst?: boolean;
}

/** Starts a milestone: gives the flag its strategies in place of those of the active one, and records the events. */
async function start(
  tx: Tx,
  limits: StrategyLimits,
  feature: Feature,
  before: Plan,
  { id, name, strategies }: Milestone,
  { trigger, gates = [], replaces = [], isFirst = false }: Start,
): Promise<Plan> {
  const { environment } = before;
  const place = { project: feature.project, featureName: feature.name, environment };
  const replaced = [...(isFirst ? [] : activeMilestone(before).strategies), ...replaces];
  const events = before.shadow
    ? []
    : await exchangeStrategies(tx, limits, place, {
        remove: new Set(replaced.map((strategy) => strategy.id)),
        add: strategies.map((strategy) => toRow(strategy, before, tx.now)),
      });
  const after = withStarted(before, id, tx.now, trigger);
  await store.updatePlan(tx, after);
  const data = {
    planId: before.id,
    planName: before.name,
    milestoneId: id,
    milestoneName: name,
    trigger,
    ...shadowData(before),
    ...(gates.length === 0 ? {} : { gates: presentGates(gates) }),
    strategies: strategies.map((strategy) => presentMilestoneStrategy(strategy, id)),
  };
  await record(tx, feature, environment, [{ type: 'release-plan-milestone-started', data }, ...events]);
  // Only automation: a person who starts a milestone knows that the next one waits for a person.
  if (trigger === 'time' && !after.shadow && stateOf(after) === 'waiting')
    await recordWaiting(tx, feature, after, 'Waits for a person to start the next milestone.');
  return after;
}

/** Records that a plan goes no further without a person. */
export async function recordWaiting(tx: Tx, feature: Feature, plan: Plan, reason: string): Promise<void> {
  await record(tx, feature, plan.environment, [{ type: 'release-plan-waiting', data: pauseEventData(plan, reason) }]);
}

async function setPaused(tx: Tx, feature: Feature, plan: Plan, pausedAt: number | null, pauseReason: string | null) {
  await store.updatePlan(tx, withTime({ ...plan, pausedAt, pauseReason }, tx.now));
  const type = pausedAt === null ? 'release-plan-progressions-resumed' : 'release-plan-progressions-paused';
  await record(tx, feature, plan.environment, [{ type, data: pauseEventData(plan, pauseReason) }]);
}
