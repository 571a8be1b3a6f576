export { requireProject } from './commands.ts';
export type { DeleteOfProject, FlagStatistics, ProjectFlags } from './project-flags.ts';
export { projectHandlers } from './routes.ts';
export { createFirstProject } from './seed.ts';
export { findProject } from './store.ts';
