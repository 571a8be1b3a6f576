export { MilestoneEffect } from './milestone-effect.tsx';
export { PlanChangeDialog } from './plan-change-dialog.tsx';
export { ReleaseGradually } from './release-gradually.tsx';
export { isStopped, ReleasePlan, StateBadge } from './release-plan.tsx';
