export {
  createSegment,
  deleteSegmentsOfProject,
  requireUsableSegments,
  segmentsClosedTo,
  updateSegment,
} from './commands.ts';
export { type ClientSegment, loadClientSegments } from './queries.ts';
export { segmentHandlers } from './routes.ts';
export { checkSegmentConstraints, type Segment, type SegmentLimits } from './segment.ts';
export { listSegments } from './store.ts';
