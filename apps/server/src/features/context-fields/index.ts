export { deleteContextFieldsOfProject } from './commands.ts';
export { checkLegalValues } from './legal-values.ts';
export { contextFieldHandlers } from './routes.ts';
