export { createPasswordCheck } from './password-check.ts';
export { loginHandlers } from './routes.ts';
