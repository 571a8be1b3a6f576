export { pathProblem } from '../../../kernel/payload-path.ts';
export { conditionOf, storableCondition } from './condition.ts';
export { hasArray, mostElements, type PayloadView, payloadViews } from './elements.ts';
export {
  fillWithSample,
  isTemplate,
  type RunValues,
  render,
  templatePaths,
  templateProblem,
  usesRunValues,
} from './template.ts';
