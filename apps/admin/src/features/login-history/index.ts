export { showFailedLogins } from './failed-login-notice.ts';
export { OwnLogins } from './own-logins.tsx';
