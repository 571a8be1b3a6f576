export type { Link } from './link.ts';
export { featureLinkHandlers } from './routes.ts';
export { listLinks } from './store.ts';
