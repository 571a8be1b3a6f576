export { ContextFieldForm } from './context-field-form.tsx';
export { ContextFieldTable } from './context-field-table.tsx';
