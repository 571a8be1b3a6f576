export { mostElements, type View, viewsOf } from './elements.ts';
export { checkFilters, type FilterLimits, type Filters, passes } from './filter.ts';
export { pathProblem } from './path.ts';
export { isTemplate, pathsIn, render, templateProblem } from './template.ts';
