export { checkDependencies } from './check-dependencies.ts';
export { eventsOfPlan, type PlanEvent } from './events.ts';
export { addFault, collectFaults, type Fault } from './faults.ts';
export {
  type DesiredEnvironment,
  type DesiredFlag,
  type DesiredStrategy,
  type FlagDefinition,
  type FlagInEnvironment,
  flagOff,
  off,
} from './flag-definition.ts';
export { existingFlagNames, listFlagNames, listFlagNamesByProject, loadFlagDefinitions } from './load.ts';
export { type FlagPlan, planFlag, revived } from './plan.ts';
export { planMilestoneStrategy } from './plan-strategies.ts';
export type { FlagRules, ProjectWithEnvironments } from './rules.ts';
export { writeFlags } from './write.ts';
