export { knownPermissions, presentPermission } from './permission.ts';
export { roleHandlers } from './routes.ts';
