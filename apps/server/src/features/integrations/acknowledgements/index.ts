export { reminders } from './reminders.ts';
export { acknowledgementRetention } from './retention.ts';
export { acknowledgementHandlers } from './routes.ts';
