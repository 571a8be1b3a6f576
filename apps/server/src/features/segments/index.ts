export {
  createSegment,
  deleteSegment,
  deleteSegmentsOfProject,
  type MayChange,
  requireUsableSegments,
  segmentsClosedTo,
  updateSegment,
} from './commands.ts';
export { type ClientSegment, loadClientSegments } from './queries.ts';
export { mayChangeSegments, segmentHandlers } from './routes.ts';
export { checkSegmentConstraints, type Segment, type SegmentLimits, segmentEventData } from './segment.ts';
export { findSegments, listSegments } from './store.ts';
