export { latestEvents } from './latest.ts';
export { eventJson, labelOf, presentEvent } from './present.ts';
export { eventHandlers } from './routes.ts';
