export { enableAtStart } from './at-start.ts';
export type { CopyOfEnvironment } from './clone.ts';
export { createEnvironment, requireEnvironment } from './commands.ts';
export type { Environment } from './environment.ts';
export { environmentHandlers } from './routes.ts';
export { findEnvironment, listEnvironments, listEnvironmentsOfProject } from './store.ts';
