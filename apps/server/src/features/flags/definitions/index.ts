export { checkDependencies } from './dependencies.ts';
export { eventsOf } from './events.ts';
export { type Fault, noting } from './faults.ts';
export { listFlagNames, listFlagNamesByProject, loadWholeFlags, presentFlagNames } from './load.ts';
export { type FlagPlan, planFlag } from './plan.ts';
export type { FlagRules, ProjectOfFlags } from './rules.ts';
export type { FlagInEnvironment, WantedFlag, WantedInEnvironment, WantedStrategy, WholeFlag } from './whole-flag.ts';
export { writeFlags } from './write.ts';
