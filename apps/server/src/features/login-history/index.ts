export {
  attemptKeyOf,
  countFailedLogin,
  forgetFailuresOf,
  forgetFailuresOfUser,
  requireLoginTurn,
} from './login-delay.ts';
export { loginHistoryRetention } from './retention.ts';
export { loginHistoryHandlers } from './routes.ts';
export { noteFailedLogin, noteLogin, sinceLastLogin } from './store.ts';
