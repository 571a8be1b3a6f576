export { createFirstAdmin, type FirstAdmin } from './first-admin.ts';
export { meHandlers } from './me-routes.ts';
export { hashPassword, verifyPassword } from './password-hash.ts';
export { userHandlers } from './routes.ts';
export { type Credentials, findCredentials, findPasswordHash, forgetFailedLogins } from './store.ts';
