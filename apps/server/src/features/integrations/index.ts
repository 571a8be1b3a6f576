export { resolveByDns } from './addresses.ts';
export { Deliverer } from './deliverer.ts';
export { integrationRetention } from './retention.ts';
export { integrationHandlers } from './routes.ts';
export { sender } from './send.ts';
