export { AuthSettings, readPasswordSettings } from './auth-settings.ts';
export { readPath } from './claim-path.ts';
export { allowPasswords } from './commands.ts';
export { domainsOf, mayBeAsked, type OidcSettings, oidcOfEnvironment } from './oidc.ts';
export { authSettingsHandlers } from './routes.ts';
export { sealedOidc } from './sealed.ts';
