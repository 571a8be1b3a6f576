import type { ReleasePlan, SafeguardAnswer } from '@yardarm/contract';
import type { Clock } from '../../kernel/clock.ts';
import type { Db } from '../../storage/tx.ts';
import type { PlanReader } from '../flags/index.ts';
import { type LookedAt, lookAtGates, safeguardGate } from './gates/index.ts';
import { activeSince, type Plan, runOf } from './plan.ts';
import { presentPlan } from './present.ts';
import { plansOn } from './store.ts';

/** Returns the safeguards of a plan, which another feature keeps. */
export type SafeguardsOf = (db: Db, plan: Plan) => Promise<SafeguardAnswer[]>;

/** Returns a plan as answers contain it, with the closed gates of its milestone and its safeguards. */
export type ReadPlan = (db: Db, plan: Plan) => Promise<ReleasePlan>;

/** Creates the reader of single plans. */
export function planReader(clock: Clock, safeguardsOf: SafeguardsOf): ReadPlan {
  return async (db, plan) => {
    const now = clock.now();
    const run = runOf(plan, now);
    const safeguards = await safeguardsOf(db, plan);
    const gates = run === undefined ? [] : [...(await lookAtGates(db, run, now)), ...gatesOf(safeguards, plan)];
    return { ...presentPlan(plan, now, gates), safeguards };
  };
}

/** Returns the gates that the safeguards of a plan are, see {@link safeguardGate}. */
export function gatesOf(safeguards: readonly SafeguardAnswer[], plan: Plan): LookedAt[] {
  const since = activeSince(plan);
  return safeguards.map(({ impactMetric, triggerCondition, status: { state, value, reason, lookedAt } }) => {
    const isOfMilestone = lookedAt !== null && Date.parse(lookedAt) >= since;
    const known = isOfMilestone && state !== 'no-data' && value !== null ? { value } : {};
    return safeguardGate(impactMetric, triggerCondition, isOfMilestone ? { ...known, reason } : {});
  });
}

/** Returns the reader of plans for the answers of flags. */
export function readPlans(read: ReadPlan): PlanReader {
  return async (db, names) => Promise.all((await plansOn(db, names)).map((plan) => read(db, plan)));
}
