export { eventConsumerHandlers } from './routes.ts';
export { listConsumers } from './store.ts';
