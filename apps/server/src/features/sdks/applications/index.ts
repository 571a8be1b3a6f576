export { applicationHandlers } from './routes.ts';
export { countReported, createApplication, knownApplications, strategiesColumn } from './store.ts';
export { unknownFlagHandlers } from './unknown-flags.ts';
