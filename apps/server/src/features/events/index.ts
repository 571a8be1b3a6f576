export { latestEvents } from './latest.ts';
export { eventJson, labelOf, presentEvent } from './present.ts';
export { type EventSearchOptions, eventHandlers } from './routes.ts';
