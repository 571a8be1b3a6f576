import type { authSettingsRoutes } from '@yardarm/contract';
import { listRootRoles } from '#features/people/access/index.ts';
import type { Handlers } from '#http/handler.ts';
import { badField, Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { AuthSettings } from './auth-settings.ts';
import * as commands from './commands.ts';
import type { OidcSettings } from './oidc.ts';

/** Serves the login settings. `checkProvider` rejects when the configured provider cannot be reached. */
export function authSettingsHandlers(
  { db, write }: Database,
  settings: AuthSettings,
  checkProvider: () => Promise<unknown>,
): Handlers<typeof authSettingsRoutes> {
  const { seal, environment, allowHttp, readableSecret } = settings.options;
  const present = async ({ secret, ...oidc }: OidcSettings) => {
    const role = (await listRootRoles(db)).find(({ id }) => id === oidc.defaultRootRoleId);
    const shownSecret = readableSecret && secret !== null ? (seal.open(secret) ?? null) : null;
    return { ...oidc, secret: shownSecret, secretSet: secret !== null, defaultRootRole: builtInName(role?.name) };
  };
  return {
    'GET /api/admin/auth/oidc/settings': async () => ({ body: await present(await settings.oidc()) }),
    'POST /api/admin/auth/oidc/settings': async ({ body, author }) => {
      if (environment !== undefined)
        throw new Problem(
          'OperationDeniedError',
          'Single sign-on is configured by the environment variables OIDC_…. Change those and restart the service.',
        );
      const after = await write(author, (tx) => commands.setOidc(tx, body, seal, allowHttp));
      return { body: await present(after) };
    },
    'GET /api/admin/auth/saml/settings': () => ({ body: { enabled: false } }),
    'POST /api/admin/auth/saml/settings': ({ body }) => {
      if (body.enabled)
        throw badField(
          'enabled',
          'must be false: SAML is not supported. Set up OpenID Connect with the same provider.',
        );
      return { body: { enabled: false } };
    },
    'GET /api/admin/auth/simple/settings': async () => ({ body: { disabled: await settings.passwordsDisabled() } }),
    'POST /api/admin/auth/simple/settings': async ({ body, author }) => {
      const turnsOff = body.disabled && !(await settings.passwordsDisabled());
      // Checked before the write begins, because a write must not wait for the network.
      if (turnsOff && (await settings.oidc()).enabled) await checkProvider();
      const after = await write(author, (tx) => commands.setPasswordsDisabled(tx, body.disabled, environment));
      return { body: after };
    },
  };
}

function builtInName(name: string | undefined): 'Viewer' | 'Editor' | 'Admin' | null {
  return name === 'Viewer' || name === 'Editor' || name === 'Admin' ? name : null;
}
