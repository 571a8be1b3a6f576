export { Caller } from './calls/index.ts';
export { actionHandlers } from './routes.ts';
export { actionRetention, Runner, whyHalted } from './runs/index.ts';
