export { deleteSegmentsOfProject, requireUsableSegments, segmentsClosedTo } from './commands.ts';
export { type ClientSegment, loadClientSegments } from './queries.ts';
export { segmentHandlers } from './routes.ts';
