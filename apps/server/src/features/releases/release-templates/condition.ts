import type { Comparison, RecentQuery } from '@yardarm/contract';
import { requireRecent } from '#features/metrics/impact-metrics/index.ts';
import { listRoles } from '#features/people/access/index.ts';
import type { Reader } from '#features/people/token-scopes/index.ts';
import type { Hours } from '#features/platform/hours/index.ts';
import { badField } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';

/** Who approves a milestone: a person, who must have the role if one is named, or an action of a signal. */
export type ApprovalRule = { readonly by: 'person'; readonly role?: number | undefined } | { readonly by: 'action' };

/** The gates of a milestone. The next milestone starts automatically when all of them are open. */
export interface TransitionCondition {
  /**
   * The minutes that the milestone must last. Time counts while the flag is on, not held, and the plan is not paused.
   */
  readonly intervalMinutes: number;
  /** The hours of the week in which the next milestone may start; any time when absent. */
  readonly hours?: Hours | undefined;
  /** The number of evaluations of the flag that SDKs must report while the milestone is active. */
  readonly evaluations?: number | undefined;
  /** An impact metric that must be beyond a threshold. */
  readonly metric?: { readonly impactMetric: RecentQuery; readonly condition: Comparison } | undefined;
  readonly approval?: ApprovalRule | undefined;
}

/**
 * Rejects with 400 a condition that can never be met: it names a role that does not exist, or a metric that no SDK has
 * reported to the reader.
 */
export async function checkCondition(db: Db, reader: Reader, condition: TransitionCondition | null): Promise<void> {
  const { approval, metric } = condition ?? {};
  if (metric !== undefined)
    await requireRecent(db, reader, metric.impactMetric, 'transitionCondition.metric.impactMetric');
  if (approval?.by !== 'person' || approval.role === undefined) return;
  const { role } = approval;
  const roles = await listRoles(db);
  if (roles.some(({ id }) => id === role)) return;
  throw badField('transitionCondition.approval.role', `must be the id of a role, and there is no role ${role}`);
}

/** Returns the condition as answers and events contain it. */
export function presentCondition({ intervalMinutes, hours, evaluations, metric, approval }: TransitionCondition) {
  return {
    intervalMinutes,
    ...(hours === undefined ? {} : { hours: { ...hours, days: [...hours.days] } }),
    ...(evaluations === undefined ? {} : { evaluations }),
    ...(metric === undefined ? {} : { metric }),
    ...(approval === undefined ? {} : { approval: { ...approval } }),
  };
}
