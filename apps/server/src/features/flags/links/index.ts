export { type Link, linkEventData, maxLinks, titleOf } from './link.ts';
export { featureLinkHandlers } from './routes.ts';
export { deleteLinkRow, insertLinks, listLinks, updateLinkRow } from './store.ts';
