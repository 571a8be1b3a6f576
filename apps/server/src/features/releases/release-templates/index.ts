export {
  archiveTemplate,
  checkTemplateStrategy,
  createTemplate,
  deleteTemplatesOfProject,
  requireUsableTemplate,
  reviveTemplate,
  type TemplateLimits,
  updateTemplate,
} from './commands.ts';
export { type ApprovalRule, checkCondition, presentCondition, type TransitionCondition } from './condition.ts';
export { milestonesIn } from './in-environment.ts';
export {
  type Approval,
  inOrder,
  type Milestone,
  type MilestoneInput,
  type MilestoneStrategy,
  presentMilestone,
  presentMilestoneStrategy,
  type ToStrategy,
  toMilestones,
  withCondition,
} from './milestone.ts';
export { releaseTemplateHandlers } from './routes.ts';
export { findTemplates, listAllTemplates, listTemplates } from './store.ts';
export type { Template } from './template.ts';
