export { catchUp, incidentGrouping } from './group-events.ts';
export { type MovedOptions, MovedUsers } from './moved-users.ts';
export { incidentRetention } from './retention.ts';
export { incidentHandlers } from './routes.ts';
export { incidentsOfEvents } from './store.ts';
