export { endSessions } from './commands.ts';
export { sessionHandlers } from './routes.ts';
export { type NewSession, Sessions } from './sessions.ts';
