export { type RecentContext, RecentContexts } from './recent-contexts.ts';
