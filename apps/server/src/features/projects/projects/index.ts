export {
  createProject,
  requireProject,
  requireProjectInUse,
  updateProject,
} from './commands.ts';
export { addEnvironment, removeEnvironment } from './environment-commands.ts';
export { checkNaming, requireNamed } from './naming.ts';
export { requireOwningProject } from './owning-project.ts';
export { anyName, noReasonRequired, type Project, toLinkTemplates } from './project.ts';
export {
  daysToProduction,
  type FlagStatistics,
  type FlagWindows,
  healthOf,
  type LeadTime,
  type LifecycleSummary,
  noFlags,
  type ProjectFlags,
  type ReviewedIn,
  type Windows,
} from './project-flags.ts';
export { presentedProject, presentedProjects, projectOverview } from './reading-routes.ts';
export { checkReasonRule } from './reason-rule.ts';
export { projectHandlers } from './routes.ts';
export { createFirstProject } from './seed.ts';
export { countMembers, environmentsOfProjects, findProject, listProjects } from './store.ts';
