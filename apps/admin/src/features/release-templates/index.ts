export { SaveAsTemplate } from './save-as-template.tsx';
export { needsOf } from './template-projects.ts';
export { TemplateTable } from './template-table.tsx';
export { conditionOf, type TimeDraft, timeOf, timeProblems } from './time-draft.ts';
export { TimeFields } from './time-fields.tsx';
