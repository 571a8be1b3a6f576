import type { RequestedFlagChange } from '../../entities/change-requests/request-queries.ts';
import type { Place, Plan } from '../../entities/release-plans/plan-queries.ts';
import { MilestoneEffect } from '../release-plans/index.ts';

interface Props {
  readonly change: Pick<RequestedFlagChange, 'action' | 'payload'>;
  readonly plan: Plan;
  readonly place: Place;
}

/** Shows reviewers who would get or lose the flag by a requested start of a milestone; nothing for other changes. */
export function RequestedStart({ change, plan, place }: Props) {
  if (change.action !== 'startMilestone') return null;
  const { planId, milestoneId, shadow, strategies } = change.payload as {
    readonly planId: string;
    readonly milestoneId: string;
    readonly shadow?: boolean;
    readonly strategies?: 'keep' | 'remove';
  };
  const milestone = planId === plan.id ? plan.milestones.find(({ id }) => id === milestoneId) : undefined;
  // In shadow mode, a milestone is recorded and not served.
  if (milestone === undefined || (plan.shadow && shadow !== false)) return null;
  return <MilestoneEffect plan={plan} place={place} milestone={milestone} strategies={strategies} />;
}
