export { catchUp, incidentGrouping } from './group-events.ts';
export { incidentRetention } from './retention.ts';
export { incidentHandlers } from './routes.ts';
export { incidentsOfEvents } from './store.ts';
