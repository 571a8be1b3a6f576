export { planRehearsalHandlers } from './routes.ts';
