export { type Link, linkEventData, linkFrom, maxLinks, titleOf } from './link.ts';
export { featureLinkHandlers } from './routes.ts';
export { deleteLinkRow, insertLinks, listLinks, updateLinkRow } from './store.ts';
