export { mostElements, type View, viewsOf } from './elements.ts';
export { checkFilters, type FilterLimits, type Filters, prepareFilters, type Verdict } from './filter.ts';
export { pathProblem } from './path.ts';
export { isTemplate, type NamedRun, namesRun, pathsIn, render, sampleOf, templateProblem } from './template.ts';
