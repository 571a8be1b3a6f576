import { type LoginMethods, requireRootRole } from '#features/people/access/index.ts';
import { AuthSettings, authSettingsHandlers, oidcOfEnvironment } from '#features/people/auth-settings/index.ts';
import { loginHistoryHandlers } from '#features/people/login-history/index.ts';
import type { FailedLogins } from '#features/people/security-events/index.ts';
import type { Sessions } from '#features/people/sessions/index.ts';
import { createProvider, singleSignOnHandlers } from '#features/people/single-sign-on/index.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import type { ServiceDependencies } from './dependencies.ts';

/** Wires single sign-on, its settings and the login history. */
export async function buildSignIn(
  parts: ServiceDependencies,
  sessions: Sessions,
  limit: RateLimit,
  failedLogins: FailedLogins,
) {
  const { config, clock, database, log, publicUrl } = parts;
  const { authType, basePath, secureCookies } = config;
  const authSettings = await buildAuthSettings(parts);
  const warn = (about: object, message: string) => log.warn(about, message);
  const provider = createProvider(authSettings, clock, config.oidcTimeoutSeconds, warn);
  const countFailure = failedLogins.count;
  const options = {
    authType,
    database,
    clock,
    provider,
    sessions,
    limit,
    countFailure,
    basePath,
    publicUrl,
    secureCookies,
    warn,
  };
  return {
    authSettings,
    loginMethods: async (): Promise<LoginMethods> => {
      const passwords = !(await authSettings.passwordsDisabled());
      return {
        passwords,
        oidc: (await authSettings.oidc()).enabled,
        passwordResetByEmail: passwords && config.emailHost !== '',
      };
    },
    signOutUrl: (idToken: string) => provider.signOutUrl(idToken, `${publicUrl()}/`),
    handlers: {
      ...singleSignOnHandlers(options),
      ...authSettingsHandlers(database, authSettings, () => provider.reconnect()),
      ...loginHistoryHandlers(database),
    },
  };
}

/**
 * Reads the settings from environment variables, or else from the database. Rejects when a variable names an unknown
 * role.
 */
async function buildAuthSettings({ config, database }: ServiceDependencies): Promise<AuthSettings> {
  const { seal } = database;
  const role =
    config.oidcEnabled === undefined
      ? undefined
      : await requireRootRole(database.db, config.oidcDefaultRootRole, 'OIDC_DEFAULT_ROOT_ROLE');
  const environment = role && oidcOfEnvironment(config, role.id, seal.seal);
  return new AuthSettings(database, {
    seal,
    environment,
    allowHttp: config.oidcAllowHttp,
    readableSecret: config.readableSecrets,
  });
}
