import { type Feature, requireFeature } from '#features/flags/feature/index.ts';
import { hasRole } from '#features/people/access/index.ts';
import type { ApprovalRule, Milestone } from '#features/releases/release-templates/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { type Place, planIn, record, requireMilestone, requirePlan } from './find-plan.ts';
import { nameOfRole } from './gates/index.ts';
import { activeMilestone, milestoneAfter, type Plan, withApproval } from './plan.ts';
import * as store from './store.ts';

/**
 * Approves a milestone of a plan as the author. Rejects with 409 when the milestone is not active or waits for no
 * approval by a person, or the flag is held; with 403 when the author lacks the role that its gate requires; a trial,
 * which is rolled back, does not check the role. Records no event when it is approved already.
 */
export async function approveMilestone(
  tx: Tx,
  ref: Place & { readonly planId: string; readonly milestoneId: string },
  { isTrial = false }: { readonly isTrial?: boolean | undefined } = {},
): Promise<{ readonly plan: Plan; readonly milestone: Milestone }> {
  const { feature, plan } = await requirePlan(tx.db, ref);
  const milestone = requireMilestone(plan, ref.milestoneId);
  const reason = whyNotWaiting(plan, milestone, 'person');
  if (reason !== undefined) throw new Problem('ConflictError', reason);
  if (!isTrial) await requireRole(tx, milestone.transitionCondition?.approval, feature.project);
  const after = milestone.approval === undefined ? await approve(tx, feature, plan, 'person') : plan;
  return { plan: after, milestone: activeMilestone(after) };
}

/**
 * Approves the active milestone of a flag's plan on behalf of an action. Returns the reason when there is nothing to
 * approve, else undefined. With `milestone`, approves only while the milestone of this name is active.
 */
export async function approveByAction(
  tx: Tx,
  { milestone, ...place }: Place & { readonly milestone?: string | undefined },
): Promise<string | undefined> {
  const feature = await requireFeature(tx.db, place);
  const plan = await planIn(tx.db, place);
  if (plan === undefined) return `The flag ${place.featureName} has no release plan in ${place.environment}.`;
  const active = activeMilestone(plan);
  if (milestone !== undefined && active.name !== milestone)
    return `The release plan ${plan.name} is at the milestone ${active.name}, not at ${milestone}.`;
  const reason = whyNotWaiting(plan, active, 'action');
  if (reason !== undefined) return reason;
  if (active.approval !== undefined) return `The milestone ${active.name} is approved already.`;
  await approve(tx, feature, plan, 'action');
  return undefined;
}

/** Stores and records the approval. The new job of the plan looks at the other gates once time and hours allow. */
async function approve(tx: Tx, feature: Feature, plan: Plan, by: ApprovalRule['by']): Promise<Plan> {
  const after = withApproval(plan, tx.by.actor.userId, tx.now);
  await store.updatePlan(tx, after);
  const { id: milestoneId, name: milestoneName } = activeMilestone(plan);
  const data = { planId: plan.id, planName: plan.name, milestoneId, milestoneName, by };
  await record(tx, feature, plan.environment, [{ type: 'release-plan-milestone-approved', data }]);
  return after;
}

/** Returns why a milestone does not wait for an approval by a person or an action; undefined when it does. */
function whyNotWaiting(plan: Plan, { id, name, transitionCondition }: Milestone, by: ApprovalRule['by']) {
  const { approval } = transitionCondition ?? {};
  const active = activeMilestone(plan);
  if (id !== active.id) return `The release plan ${plan.name} is at the milestone ${active.name}, not at ${name}.`;
  if (approval === undefined || milestoneAfter(plan, id) === undefined)
    return `The milestone ${name} waits for no approval.`;
  if (approval.by !== by) return `The milestone ${name} waits for the approval of ${approvers[approval.by]}.`;
  if (plan.stoppedBy === 'hold')
    return `The flag is held. When the hold ends, the milestone ${name} starts anew: approve it then.`;
  return undefined;
}

const approvers = { person: 'a person, not of an action', action: 'an action, not of a person' } as const;

async function requireRole(tx: Tx, rule: ApprovalRule | undefined, project: string): Promise<void> {
  if (rule?.by !== 'person' || rule.role === undefined) return;
  if (await hasRole(tx.db, tx.by.actor.userId, rule.role, project)) return;
  const message = `You need the role ${await nameOfRole(tx.db, rule.role)} to approve this milestone.`;
  throw new Problem('PermissionError', message, { details: [{ message }] });
}
