export { pathProblem } from '../../../kernel/payload-path.ts';
export { conditionOf } from './condition.ts';
export { hasArray, mostElements, type PayloadView, payloadViews } from './elements.ts';
export { checkFilters, compileFilters, type FilterLimits, type FilterResult, type Filters } from './filter.ts';
export {
  fillWithSample,
  isTemplate,
  type RunValues,
  render,
  templatePaths,
  templateProblem,
  usesRunValues,
} from './template.ts';
