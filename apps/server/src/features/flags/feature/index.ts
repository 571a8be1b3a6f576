export {
  type Completion,
  type Feature,
  type FeatureRef,
  type FeatureRefs,
  type FeatureTag,
  featureEventData,
  newFeature,
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
  featureColumns,
  fieldColumnNames,
  findFeature,
  findFeatures,
  insertFeatures,
  listArchived,
  setArchivedAt,
  setProject,
  toFeature,
  toFlagFields,
  updateFeatures,
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
