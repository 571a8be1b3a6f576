export {
  createSegment,
  deleteSegment,
  deleteSegmentsOfProject,
  type RequireMayChange,
  requireUsableSegments,
  type SegmentInput,
  segmentsNotUsableIn,
  updateSegment,
} from './commands.ts';
export { type ClientSegment, loadClientSegments } from './queries.ts';
export { type SegmentUseInRequest, segmentChangeCheck, segmentHandlers } from './routes.ts';
export { checkSegmentConstraints, type Segment, type SegmentLimits, segmentEventData } from './segment.ts';
export { constraintsColumn, findSegments, listSegments } from './store.ts';
