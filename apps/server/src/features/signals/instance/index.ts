export { firstStepHandlers } from './first-steps.ts';
export { instanceHandlers } from './routes.ts';
