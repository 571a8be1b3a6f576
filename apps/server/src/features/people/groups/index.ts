export { type GroupView, presentGroup } from './group.ts';
export { groupHandlers } from './routes.ts';
export { syncMappedGroups } from './sso-sync.ts';
export { listGroups } from './store.ts';
