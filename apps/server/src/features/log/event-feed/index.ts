export { cloudEventJson } from './cloud-events.ts';
export { FeedReader } from './feed-reader.ts';
export { type FeedFilter, limitsOf } from './filter.ts';
export { pageJson } from './pages.ts';
export { requireEpoch, requireReached } from './position.ts';
export { eventFeedHandlers } from './routes.ts';
export { streamAccess } from './stream-access.ts';
