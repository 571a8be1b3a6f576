import { settings } from '../config/settings.ts';
import { createAdminGuard, createStandings, createTraces, type Standings } from '../features/access/index.ts';
import type { TokenLookup } from '../features/api-tokens/index.ts';
import { groupHandlers } from '../features/groups/index.ts';
import { inviteLinkHandlers } from '../features/invite-links/index.ts';
import { createPasswordCheck, loginHandlers } from '../features/login/index.ts';
import { createBearerLookup, personalTokenHandlers } from '../features/personal-tokens/index.ts';
import { projectAccessHandlers } from '../features/project-access/index.ts';
import { roleHandlers } from '../features/roles/index.ts';
import { serviceAccountHandlers } from '../features/service-accounts/index.ts';
import { Sessions, sessionHandlers } from '../features/sessions/index.ts';
import {
  createFirstAdmin,
  inactiveUserHandlers,
  meHandlers,
  passwordResetHandlers,
  userHandlers,
} from '../features/users/index.ts';
import type { BadTokenLimit } from '../http/bad-token-limit.ts';
import { type RateLimit, rateLimit } from '../http/rate-limit.ts';
import type { ServiceParts } from './parts.ts';
import { buildSignIn } from './sign-in.ts';

/** Puts together who may come in: the guard of the administration API and the routes that manage accounts. */
export async function buildAccess(parts: ServiceParts, apiTokens: TokenLookup, badTokens: BadTokenLimit) {
  const { config, clock, database, log, lifetime, publicUrl } = parts;
  const { authType, basePath } = config;
  await createAdmin(parts);
  const traces = createTraces(database, clock, (error) =>
    log.error({ err: error }, 'noting which accounts were used failed'),
  );
  lifetime.onStop('traces of accounts', () => traces.stop());
  const sessions = new Sessions(database, clock, {
    ttlHours: config.sessionTtlHours,
    idleMinutes: config.sessionIdleMinutes,
    lastUse: traces.sessionSeen,
    maxParallel: config.maxParallelSessions,
    basePath,
    secureCookies: config.secureCookies,
  });
  const limitOf: LimitOf = (name, what, perMinute = config.loginRatePerMinute) =>
    rateLimit(clock, (points) => database.limiter(name, points, 60), what, perMinute, 60);
  const standings = createStandings(database);
  const signIn = await buildSignIn(parts, sessions, limitOf('sso', 'logins from one address'));
  const { authSettings } = signIn;
  const ownOrigin = { trustProxy: config.trustProxy > 0, secure: config.secureCookies, publicUrl };
  return {
    authSettings,
    guard: createAdminGuard({
      authType,
      apiTokens,
      personalTokens: createBearerLookup(database, clock),
      findSession: (request) => sessions.find(request),
      standings,
      seen: traces.seen,
      badTokens,
      basePath,
      loginWays: signIn.ways,
      ownOrigin,
    }),
    handlers: {
      ...loginHandlers({
        authType,
        basePath,
        database,
        clock,
        failuresBeforeDelay: config.loginFailuresBeforeDelay,
        check: await createPasswordCheck(database.db, traces.loginFailed),
        passwordsDisabled: () => authSettings.passwordsDisabled(),
        signOutUrl: signIn.signOutUrl,
        sessions,
        limit: limitOf('login', 'logins from one address'),
        ownOrigin,
        clearSiteData: config.clearSiteDataOnLogout,
      }),
      ...signIn.handlers,
      ...ownHandlers(parts, sessions, standings, limitOf('old-password', 'tries of an old password')),
      ...serviceAccountHandlers(database),
      ...roleHandlers(database),
      ...groupHandlers(database),
      ...projectAccessHandlers(database),
      ...accountHandlers(parts, sessions, limitOf),
    },
  };
}

/** A limit per minute by its name, for what it says. */
type LimitOf = (name: string, what: string, perMinute?: number) => RateLimit;

/** How accounts of people come about, and get new passwords. */
function accountHandlers({ config, clock, database, publicUrl }: ServiceParts, sessions: Sessions, limitOf: LimitOf) {
  return {
    ...userHandlers(database, {
      sessions,
      publicUrl,
      limit: limitOf('create-user', 'users created from one address', config.createUserRatePerMinute),
    }),
    ...inactiveUserHandlers(database, clock, config.userInactivityDays),
    ...passwordResetHandlers(database, {
      clock,
      publicUrl,
      limit: limitOf('reset', 'uses of a link from one address'),
    }),
    ...inviteLinkHandlers(database, { clock, publicUrl, limit: limitOf('invite', 'guests from one address') }),
  };
}

/** What callers see and change of themselves. */
function ownHandlers({ database, clock }: ServiceParts, sessions: Sessions, standings: Standings, guesses: RateLimit) {
  return {
    ...meHandlers(database, standings, guesses),
    ...personalTokenHandlers(database),
    ...sessionHandlers(database, sessions, clock),
  };
}

/** Where authentication is off nobody needs an administrator yet; there will be one once it is turned on. */
async function createAdmin({ config, database, log, onFirstAdmin }: ServiceParts): Promise<void> {
  if (config.authType === 'none') return;
  // A variable that is set to nothing means what one that is not set means.
  const username = config.adminUsername.trim() || settings.adminUsername.default;
  const admin = await createFirstAdmin(database, { username, password: config.adminPassword });
  if (admin === undefined) return;
  if (admin.faults.length > 0)
    log.warn({ faults: admin.faults }, 'the first administrator has a weak password; change it');
  onFirstAdmin(admin);
}
