export { integrationDeliveries } from './delivery.ts';
export { integrationDeliveryHandlers } from './delivery-routes.ts';
export { FanOut } from './fan-out.ts';
export { integrationHandlers } from './routes.ts';
export { sealedIntegrations, sealedSigningKeys } from './sealed.ts';
export { listIntegrations } from './store.ts';
export { threadRetention } from './threads/index.ts';
