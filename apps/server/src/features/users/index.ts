export { createUser } from './commands.ts';
export { createFirstAdmin, type FirstAdmin } from './first-admin.ts';
export { inactiveUserHandlers } from './inactive.ts';
export { meHandlers } from './me-routes.ts';
export { hashPassword, verifyPassword } from './password-hash.ts';
export { requireGoodPassword } from './password-rules.ts';
export { passwordResetHandlers } from './reset-routes.ts';
export { userHandlers } from './routes.ts';
export { type Credentials, findCredentials, findPasswordHash, forgetFailedLogins } from './store.ts';
