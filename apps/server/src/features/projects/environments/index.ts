export type { CopyEnvironmentData } from './clone.ts';
export { createEnvironment, requireEnvironment } from './commands.ts';
export { enableEnvironments } from './enable-environments.ts';
export type { Environment } from './environment.ts';
export { environmentHandlers } from './routes.ts';
export { findEnvironment, listEnvironments, listEnvironmentsOfProject } from './store.ts';
