export { enableAtStart } from './at-start.ts';
export type { CopyOfEnvironment } from './clone.ts';
export { createEnvironment, onlyEnvironment, requireEnvironment } from './commands.ts';
export { environmentHandlers } from './routes.ts';
export { findEnvironment, listEnvironments, listEnvironmentsOfProject } from './store.ts';
