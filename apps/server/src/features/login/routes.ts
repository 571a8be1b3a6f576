import type { loginRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import type { RequestInfo } from '../../http/request.ts';
import { type Clock, isoTimeOrNull } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { type OwnOrigin, presentAccount, requireOwnOrigin } from '../access/index.ts';
import {
  attemptKeyOf,
  countFailedLogin,
  forgetFailuresOf,
  noteFailedLogin,
  noteLogin,
  requireLoginTurn,
  sinceLastLogin,
} from '../login-history/index.ts';
import type { Sessions } from '../sessions/index.ts';
import { createLoginTurns } from './login-turns.ts';
import { confirmPassword, type PasswordCheck, passwordMismatch } from './password-check.ts';

export interface LoginRoutesOptions {
  readonly authType: 'open-source' | 'none';
  readonly basePath: string;
  readonly database: Pick<Database, 'db' | 'writeQuietly'>;
  readonly clock: Clock;
  readonly check: PasswordCheck;
  /** Failed logins with one user name after which the next has to wait; 0 for no such wait. */
  readonly failuresBeforeDelay: number;
  readonly passwordsDisabled: () => Promise<boolean>;
  /** Where a session's provider logs its user out too, by what it said when it let them in. */
  readonly signOutUrl: (idToken: string) => Promise<string | undefined>;
  readonly sessions: Sessions;
  /** Logins from one address. */
  readonly limit: RateLimit;
  readonly ownOrigin: OwnOrigin;
  /** Whether logging out makes the browser forget all it holds of this site (docs/spec#sessions). */
  readonly clearSiteData: boolean;
}

type LoginAnswer = Awaited<ReturnType<Handlers<typeof loginRoutes>['POST /auth/simple/login']>>;

/** Makes the login with a password: delayed after failures, noted in the history, beginning a session. */
function passwordLogin(options: LoginRoutesOptions) {
  const { database, check, clock, failuresBeforeDelay, sessions } = options;
  const inTurn = createLoginTurns();
  return async (body: { username: string; password: string }, request: RequestInfo): Promise<LoginAnswer> => {
    const { username } = body;
    const found = await check.find(username);
    const userId = found?.account.id;
    const attempt = { username, userId, authType: 'simple', ip: request.clientAddress } as const;
    const key = await attemptKeyOf(database.db, { username, userId, network: attempt.ip }, clock.now());
    return inTurn(key, async () => {
      await requireLoginTurn(database.db, key, failuresBeforeDelay, clock.now());
      const checked = await check.verify(found, body.password);
      if (checked === undefined) {
        await noteFailedLogin(database, attempt, request.requestId, 'wrong user name or password', (tx) =>
          countFailedLogin(tx, key),
        );
        throw passwordMismatch();
      }
      let since: Awaited<ReturnType<typeof sinceLastLogin>> = { lastLoginAt: null, failed: 0 };
      const { account } = checked;
      const { cookie, ...counts } = await sessions.begin(account, request, async (tx) => {
        await confirmPassword(tx, checked);
        since = await sinceLastLogin(tx.db, account.id);
        await noteLogin(tx, attempt);
        await forgetFailuresOf(tx, key);
      });
      const told = { lastLoginAt: isoTimeOrNull(since.lastLoginAt), failedLogins: since.failed };
      const user = { ...presentAccount({ ...account, loginAttempts: 0 }), ...counts, ...told };
      return { status: 200, body: user, headers: { 'set-cookie': cookie } };
    });
  };
}

export function loginHandlers(options: LoginRoutesOptions): Handlers<typeof loginRoutes> {
  const { sessions } = options;
  const login = passwordLogin(options);
  return {
    'POST /auth/simple/login': async ({ body, request }) => {
      if (options.authType === 'none') {
        throw new Problem('DisabledError', 'There is no login here: authentication is off (AUTH_TYPE is none).');
      }
      await options.limit.spend(request.clientAddress);
      if (await options.passwordsDisabled())
        throw new Problem('DisabledError', 'Logins with passwords are off. Log in through single sign-on.');
      return login(body, request);
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
