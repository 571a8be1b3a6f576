import type { loginRoutes } from '@yardarm/contract';
import { type OriginSettings, presentAccount, requireSameOrigin } from '#features/people/access/index.ts';
import {
  clearLoginFailures,
  countLoginFailure,
  loginAttemptKey,
  loginsSinceLast,
  recordFailedLogin,
  recordLogin,
  requireNoLoginDelay,
} from '#features/people/login-history/index.ts';
import type { FailedLogins } from '#features/people/security-events/index.ts';
import type { Sessions } from '#features/people/sessions/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { RateLimit } from '#http/rate-limit.ts';
import type { RequestInfo } from '#http/request.ts';
import { type Clock, isoTimeOrNull } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { createKeyedMutex } from '#kernel/mutex.ts';
import type { Database } from '#storage/database.ts';
import { confirmPassword, type PasswordCheck, passwordMismatch } from './password-check.ts';

export interface LoginRoutesOptions {
  readonly authType: 'open-source' | 'none';
  readonly basePath: string;
  readonly database: Pick<Database, 'db' | 'writeQuietly'>;
  readonly clock: Clock;
  readonly check: PasswordCheck;
  readonly countFailure: FailedLogins['count'];
  /** The number of failed logins with a user name after which logins are delayed; 0 turns the delay off. */
  readonly failuresBeforeDelay: number;
  readonly passwordsDisabled: () => Promise<boolean>;
  /** Returns the URL that logs the user out at the provider, for the ID token of the session. */
  readonly signOutUrl: (idToken: string) => Promise<string | undefined>;
  readonly sessions: Sessions;
  /** Rate limit of logins by client address. */
  readonly limit: RateLimit;
  readonly originSettings: OriginSettings;
  /** Whether logging out sends Clear-Site-Data, which deletes the browser's data of this site (docs/spec#sessions). */
  readonly clearSiteData: boolean;
}

type LoginAnswer = Awaited<ReturnType<Handlers<typeof loginRoutes>['POST /auth/simple/login']>>;

/**
 * Creates the login with a password: delays it after failures, records it in the login history and begins a session.
 */
function passwordLogin(options: LoginRoutesOptions) {
  const { database, check, clock, countFailure, failuresBeforeDelay, sessions } = options;
  // Concurrent logins with one user name each see the failures of the ones before.
  const runExclusive = createKeyedMutex();
  return async (body: { username: string; password: string }, request: RequestInfo): Promise<LoginAnswer> => {
    const { username } = body;
    const found = await check.find(username);
    const userId = found?.account.id;
    const attempt = { username, userId, authType: 'simple', ip: request.clientAddress } as const;
    const key = await loginAttemptKey(database.db, { username, userId, network: attempt.ip }, clock.now());
    return runExclusive(key, async () => {
      await requireNoLoginDelay(database.db, key, failuresBeforeDelay, clock.now());
      const checked = await check.verify(found, body.password);
      if (checked === undefined) {
        await recordFailedLogin(database, attempt, request.requestId, 'wrong user name or password', (tx) =>
          countLoginFailure(tx, key),
        );
        countFailure(attempt);
        throw passwordMismatch();
      }
      let history: Awaited<ReturnType<typeof loginsSinceLast>> = { lastLoginAt: null, failed: 0 };
      const { account } = checked;
      const { cookie, ...counts } = await sessions.begin(
        account,
        request,
        { authType: 'simple', idToken: null },
        async (tx) => {
          await confirmPassword(tx, checked);
          history = await loginsSinceLast(tx.db, account.id);
          await recordLogin(tx, attempt);
          await clearLoginFailures(tx, key);
        },
      );
      const lastLogin = { lastLoginAt: isoTimeOrNull(history.lastLoginAt), failedLogins: history.failed };
      const user = { ...presentAccount({ ...account, loginAttempts: 0 }), ...counts, ...lastLogin };
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
        throw new Problem('DisabledError', 'Login is disabled: authentication is off (AUTH_TYPE is none).');
      }
      await options.limit.spend(request.clientAddress);
      if (await options.passwordsDisabled())
        throw new Problem('DisabledError', 'Login with a password is disabled. Log in through single sign-on.');
      return login(body, request);
    },
    'POST /logout': async ({ request }) => {
      const session = await sessions.find(request);
      let providerLogout: string | undefined;
      if (session !== undefined) {
        requireSameOrigin(request, options.originSettings);
        const idToken = await sessions.idTokenOf(session);
        await sessions.endAllSessions(session, request);
        if (idToken !== null) providerLogout = await options.signOutUrl(idToken);
      }
      const clear = options.clearSiteData ? { 'clear-site-data': '"cookies", "storage"' } : {};
      return {
        headers: {
          location: providerLogout ?? `${options.basePath}/signed-out`,
          'set-cookie': sessions.clearingCookie(),
          ...clear,
        },
      };
    },
  };
}
