export { sessionHandlers } from './routes.ts';
export { type NewSession, Sessions } from './sessions.ts';
export { countSessions, endSessions } from './store.ts';
