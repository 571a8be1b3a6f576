export { copyGrantsOfEnvironment } from './commands.ts';
export { knownPermissions, presentPermission } from './permission.ts';
export { roleHandlers } from './routes.ts';
