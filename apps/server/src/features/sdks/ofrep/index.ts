export { ofrepHandlers } from './routes.ts';
