export { applicationHandlers } from './routes.ts';
export { countReported, createApplication, knownApplications } from './store.ts';
