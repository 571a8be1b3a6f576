export { acknowledgementRetention } from './retention.ts';
export { acknowledgementHandlers } from './routes.ts';
export { tellAgain } from './tell-again.ts';
