export { isHiddenFrom } from './consumer.ts';
export { eventConsumerHandlers } from './routes.ts';
export { listConsumers } from './store.ts';
