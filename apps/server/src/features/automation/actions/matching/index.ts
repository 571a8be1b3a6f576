export { pathProblem } from '#kernel/payload-path.ts';
export { alertOf, conditionOf, formerView, storableCondition } from './condition.ts';
export { hasArray, mostElements, type PayloadView, payloadViews } from './elements.ts';
export { isBeforeEnd } from './occurrence.ts';
export {
  fillWithSample,
  isTemplate,
  type RunValues,
  render,
  templatePaths,
  templateProblem,
  usesRunValues,
} from './template.ts';
