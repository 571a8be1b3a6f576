export { segmentsOfPlans } from './active-milestone.ts';
export {
  type ClientFeature,
  type ClientFeatureEnvironment,
  type ClientStrategy,
  toClientStrategy,
} from './client-feature.ts';
export { loadClientFeatures } from './client-features.ts';
export { featuresAsJsonText, presentCreator, presentFeature, presentFeatureEnvironment } from './present.ts';
export type { FeatureView, PlanReader } from './queries.ts';
export { getFeature, listCreators, pagesOfFeatures, pagesOfNamed } from './queries.ts';
