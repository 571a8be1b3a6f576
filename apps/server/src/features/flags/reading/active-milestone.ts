import { anyList, jsonColumn } from '#storage/json-column.ts';
import type { Db } from '#storage/tx.ts';

/** The milestone that a release plan serves. */
export interface ActiveMilestone {
  readonly name: string;
  /** The position of the milestone in the plan, from 0. */
  readonly order: number;
  /** The number of milestones of the plan. */
  readonly total: number;
}

/** The part of the milestones that flags need; the feature `release-plans` owns the column. */
const milestonesColumn = jsonColumn(
  'release_plans.milestones',
  anyList<{
    readonly id: string;
    readonly name: string;
    readonly strategies: readonly { readonly segments: readonly number[] }[];
  }>(),
);

/** Returns the ids of the segments that milestones of a flag's release plans use; may contain duplicates. */
export async function segmentsOfPlans(db: Db, featureName: string): Promise<number[]> {
  const plans = db.selectFrom('release_plans').select(['id', 'milestones']).where('feature_name', '=', featureName);
  return (await plans.execute())
    .flatMap(({ id, milestones }) => milestonesColumn.parse(milestones, id))
    .flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments));
}

/** Returns the milestone of a joined release plan; null without a plan. */
export function toMilestone(row: {
  readonly feature_name: string;
  readonly environment: string;
  readonly milestones: string | null;
  readonly active_milestone_id: string | null;
}): ActiveMilestone | null {
  if (row.milestones === null) return null;
  const milestones = milestonesColumn.parse(row.milestones, `${row.feature_name} in ${row.environment}`);
  const order = milestones.findIndex(({ id }) => id === row.active_milestone_id);
  const active = milestones[order];
  return active === undefined ? null : { name: active.name, order, total: milestones.length };
}
