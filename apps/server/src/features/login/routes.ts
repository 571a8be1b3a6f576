import type { loginRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { Problem } from '../../kernel/errors.ts';
import { type OwnOrigin, presentAccount, requireOwnOrigin } from '../access/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { confirmPassword, type PasswordCheck } from './password-check.ts';

export interface LoginRoutesOptions {
  readonly authType: 'open-source' | 'none';
  readonly basePath: string;
  readonly check: PasswordCheck;
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
      const checked = await options.check(body.username, body.password);
      const { account } = checked;
      const { cookie, ...counts } = await sessions.begin(account, request.requestId, (tx) =>
        confirmPassword(tx, checked),
      );
      const user = { ...presentAccount({ ...account, loginAttempts: 0 }), ...counts };
      return { status: 200, body: user, headers: { 'set-cookie': cookie, 'cache-control': 'no-store' } };
    },
    'POST /logout': async ({ request }) => {
      const session = await sessions.find(request);
      if (session !== undefined) {
        requireOwnOrigin(request, options.ownOrigin);
        await sessions.endAllOf(session, request.requestId);
      }
      const clear = options.clearSiteData ? { 'clear-site-data': '"cookies", "storage"' } : {};
      return {
        status: 302,
        headers: { location: `${options.basePath}/`, 'set-cookie': sessions.clearingCookie(), ...clear },
      };
    },
  };
}
