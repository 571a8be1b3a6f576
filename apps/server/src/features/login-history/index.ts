export { loginHistoryRetention } from './retention.ts';
export { loginHistoryHandlers } from './routes.ts';
export { noteFailedLogin, noteLogin } from './store.ts';
