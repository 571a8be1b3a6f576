export { latestEvents } from './latest.ts';
export { eventJson, presentEvent } from './present.ts';
export { eventHandlers } from './routes.ts';
