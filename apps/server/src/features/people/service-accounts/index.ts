export { requireServiceAccount } from './commands.ts';
export { serviceAccountHandlers } from './routes.ts';
