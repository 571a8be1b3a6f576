export { favoriteHandlers } from './routes.ts';
