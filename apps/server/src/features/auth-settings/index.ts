export { AuthSettings } from './auth-settings.ts';
export { domainsOf, mayBeAsked, type OidcSettings, oidcOfEnvironment } from './oidc.ts';
export { authSettingsHandlers } from './routes.ts';
