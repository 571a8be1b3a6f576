export { rehearsalHandlers } from './routes.ts';
