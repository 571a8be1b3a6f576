export { importAtStartup } from './import-at-startup.ts';
export { transferHandlers } from './routes.ts';
