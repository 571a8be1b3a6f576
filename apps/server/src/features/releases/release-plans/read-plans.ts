import type { ReleasePlan, SafeguardAnswer } from '@yardarm/contract';
import type { PlanReader } from '#features/flags/reading/index.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';
import { type LookedAt, lookAtGates } from './gates/index.ts';
import { type Plan, runOf } from './plan.ts';
import { presentPlan } from './present.ts';
import { plansOn } from './store.ts';

/** The safeguards of a plan. */
export interface SafeguardsOfPlan {
  readonly answers: SafeguardAnswer[];
  readonly gates: readonly LookedAt[];
}

/** Returns the safeguards of a plan, which another feature keeps. */
export type SafeguardsOf = (db: Db, plan: Plan) => Promise<SafeguardsOfPlan>;

/** Returns a plan as answers contain it, with the closed gates of its milestone and its safeguards. */
export type ReadPlan = (db: Db, plan: Plan) => Promise<ReleasePlan>;

/** Creates the reader of single plans. */
export function planReader(clock: Clock, safeguardsOf: SafeguardsOf): ReadPlan {
  return async (db, plan) => {
    const now = clock.now();
    const run = runOf(plan, now);
    const safeguards = await safeguardsOf(db, plan);
    const gates = run === undefined ? [] : [...(await lookAtGates(db, run, now)), ...safeguards.gates];
    return { ...presentPlan(plan, now, gates), safeguards: safeguards.answers };
  };
}

/** Returns the reader of plans for the answers of flags. */
export function readPlans(read: ReadPlan): PlanReader {
  return async (db, names) => Promise.all((await plansOn(db, names)).map((plan) => read(db, plan)));
}
