export { Deliverer } from './deliverer.ts';
export { integrationRetention } from './retention.ts';
export { integrationHandlers } from './routes.ts';
export { sealedIntegrations } from './sealed.ts';
