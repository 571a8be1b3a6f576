export { createContextField, deleteContextFieldsOfProject, updateContextField } from './commands.ts';
export type { ContextField } from './context-field.ts';
export { checkLegalAmong, checkLegalValues } from './legal-values.ts';
export { contextFieldHandlers } from './routes.ts';
export { listContextFields } from './store.ts';
