import type { loginRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { type OwnOrigin, presentAccount, requireOwnOrigin } from '../access/index.ts';
import { noteFailedLogin, noteLogin } from '../login-history/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { confirmPassword, type PasswordCheck } from './password-check.ts';

export interface LoginRoutesOptions {
  readonly authType: 'open-source' | 'none';
  readonly basePath: string;
  readonly database: Pick<Database, 'writeQuietly'>;
  readonly check: PasswordCheck;
  readonly passwordsDisabled: () => Promise<boolean>;
  /** Where a session's provider logs its user out too, by what it said when it let them in. */
  readonly signOutUrl: (idToken: string) => Promise<string | undefined>;
  readonly sessions: Sessions;
  /** Logins from one address. */
  readonly limit: RateLimit;
  readonly ownOrigin: OwnOrigin;
  /** Whether logging out makes the browser forget all it holds of this site (unleash-facts 7.2). */
  readonly clearSiteData: boolean;
}

export function loginHandlers(options: LoginRoutesOptions): Handlers<typeof loginRoutes> {
  const { sessions } = options;
  return {
    'POST /auth/simple/login': async ({ body, request }) => {
      if (options.authType === 'none') {
        throw new Problem('DisabledError', 'There is no login here: authentication is off (AUTH_TYPE is none).');
      }
      await options.limit.spend(request.clientAddress);
      if (await options.passwordsDisabled())
        throw new Problem('DisabledError', 'Logins with passwords are off. Log in through single sign-on.');
      const attempt = { username: body.username, authType: 'simple', ip: request.clientAddress } as const;
      const checked = await options.check(body.username, body.password).catch(async (problem) => {
        await noteFailedLogin(options.database, attempt, request.requestId, 'wrong user name or password');
        throw problem;
      });
      const { account } = checked;
      const { cookie, ...counts } = await sessions.begin(account, request, async (tx) => {
        await confirmPassword(tx, checked);
        await noteLogin(tx, attempt);
      });
      const user = { ...presentAccount({ ...account, loginAttempts: 0 }), ...counts };
      return { status: 200, body: user, headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } };
    },
    'POST /logout': async ({ request }) => {
      const session = await sessions.find(request);
      let elsewhere: string | undefined;
      if (session !== undefined) {
        requireOwnOrigin(request, options.ownOrigin);
        const idToken = await sessions.idTokenOf(session);
        await sessions.endAllOf(session, request.requestId);
        if (idToken !== null) elsewhere = await options.signOutUrl(idToken);
      }
      const clear = options.clearSiteData ? { 'clear-site-data': '"cookies", "storage"' } : {};
      return {
        status: 302,
        headers: {
          location: elsewhere ?? `${options.basePath}/signed-out`,
          'set-cookie': sessions.clearingCookie(),
          ...clear,
        },
      };
    },
  };
}
