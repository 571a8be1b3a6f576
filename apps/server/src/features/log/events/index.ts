export { latestEvents } from './latest.ts';
export { eventJson, eventJsonWithOrigin, labelOf, originOfEvent, presentEvent, summaryOf } from './present.ts';
export { newestNumbers } from './queries.ts';
export { type EventRetention, eventRetention } from './retention.ts';
export { type EventSearchOptions, eventHandlers } from './routes.ts';
export { type EventLimits, isVisible, visibleEvents } from './visible-events.ts';
