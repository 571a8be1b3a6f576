export { callDeliveryHandlers } from './routes.ts';
