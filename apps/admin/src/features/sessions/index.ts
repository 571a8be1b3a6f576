export { OwnSessions } from './own-sessions.tsx';
export { UserSessions } from './user-sessions.tsx';
