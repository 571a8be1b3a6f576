export { projectInsightsHandlers } from './routes.ts';
