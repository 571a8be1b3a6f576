export { sessionHandlers } from './routes.ts';
export { type NewSession, Sessions } from './sessions.ts';
export { endSessions } from './store.ts';
