export { importAtStart } from './at-start.ts';
export { transferHandlers } from './routes.ts';
