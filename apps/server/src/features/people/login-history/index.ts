export {
  clearLoginFailures,
  clearLoginFailuresOfUser,
  countLoginFailure,
  loginAttemptKey,
  requireNoLoginDelay,
} from './login-delay.ts';
export { loginHistoryRetention } from './retention.ts';
export { loginHistoryHandlers } from './routes.ts';
export { loginsSinceLast, recordFailedLogin, recordLogin } from './store.ts';
