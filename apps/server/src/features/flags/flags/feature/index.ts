export {
  type Completion,
  type Feature,
  type FeatureRef,
  type FeatureRefs,
  type FeatureTag,
  featureEventData,
} from './feature.ts';
export type { FeatureType, FeatureTypeId } from './feature-type.ts';
export { type FeatureEvent, recordEvents, recordEventsWithTags, recordFeatureEvents } from './record.ts';
export {
  featureNotFound,
  requireFeature,
  requireFeatureNamed,
  requireFeatures,
  requireNotArchived,
  requireUsable,
} from './require.ts';
export {
  countInUse,
  deleteFeatureRows,
  type FeatureRow,
  findFeature,
  findFeatures,
  insertFeature,
  insertFeatures,
  listArchived,
  setArchivedAt,
  setProject,
  setStale,
  toFeature,
  updateFeatureRow,
} from './store.ts';
export {
  deleteTag,
  deleteTagRows,
  flagsTagged,
  insertTags,
  listTagged,
  listTags,
  tagsByFeature,
  tagsInProject,
} from './tag-store.ts';
