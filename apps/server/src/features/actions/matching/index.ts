export { mostElements, type View, viewsOf } from './elements.ts';
export { ask, checkFilters, type FilterLimits, type Filters, passes, type Verdict } from './filter.ts';
export { pathProblem } from './path.ts';
export { isTemplate, pathsIn, render, sampleOf, templateProblem } from './template.ts';
