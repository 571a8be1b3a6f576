export { requireProject, requireProjectInUse } from './commands.ts';
export { requireNamed } from './naming.ts';
export type { FlagStatistics, ProjectFlags } from './project-flags.ts';
export { projectHandlers } from './routes.ts';
export { createFirstProject } from './seed.ts';
export { findProject } from './store.ts';
