export { type GroupView, presentGroup } from './group.ts';
export { followMappings } from './mappings.ts';
export { groupHandlers } from './routes.ts';
export { listGroups } from './store.ts';
