export { actionHandlers } from './routes.ts';
export { actionRetention, Runner } from './runs/index.ts';
