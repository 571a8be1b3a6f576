export { bannerHandlers } from './routes.ts';
