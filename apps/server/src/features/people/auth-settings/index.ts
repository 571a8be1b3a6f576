export { AuthSettings, isRoleOfNewAccounts, readPasswordSettings } from './auth-settings.ts';
export { readPath } from './claim-path.ts';
export { enablePasswords } from './commands.ts';
export { domainsOf, isAllowedProviderUrl, type OidcSettings, oidcOfEnvironment } from './oidc.ts';
export { authSettingsHandlers } from './routes.ts';
export { sealedOidc } from './sealed.ts';
