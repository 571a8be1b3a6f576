export { createContextField, deleteContextFieldsOfProject, updateContextField } from './commands.ts';
export type { ContextField } from './context-field.ts';
export { checkLegalValues, checkLegalValuesOf } from './legal-values.ts';
export { contextFieldHandlers } from './routes.ts';
export { listContextFields } from './store.ts';
