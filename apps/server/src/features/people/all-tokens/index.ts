export { allTokenHandlers } from './routes.ts';
