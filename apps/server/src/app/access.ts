import { settings } from '#config/settings.ts';
import {
  type AccessRightsCache,
  createAccessRightsCache,
  createActivityRecorder,
  createAdminGuard,
  createProjectGuard,
} from '#features/people/access/index.ts';
import { allTokenHandlers } from '#features/people/all-tokens/index.ts';
import type { TokenLookup } from '#features/people/api-tokens/index.ts';
import { groupHandlers } from '#features/people/groups/index.ts';
import { inviteLinkHandlers } from '#features/people/invite-links/index.ts';
import { createPasswordCheck, loginHandlers } from '#features/people/login/index.ts';
import { createPersonalTokenLookup, personalTokenHandlers } from '#features/people/personal-tokens/index.ts';
import type { FailedLogins } from '#features/people/security-events/index.ts';
import { serviceAccountHandlers } from '#features/people/service-accounts/index.ts';
import { Sessions, sessionHandlers } from '#features/people/sessions/index.ts';
import {
  createFirstAdmin,
  inactiveUserHandlers,
  meHandlers,
  passwordResetHandlers,
  userHandlers,
} from '#features/people/users/index.ts';
import type { SendToUser } from '#features/platform/email/index.ts';
import { projectAccessHandlers } from '#features/projects/project-access/index.ts';
import { roleHandlers } from '#features/projects/roles/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import { type RateLimit, rateLimit } from '#http/rate-limit.ts';
import type { RequestInfo } from '#http/request.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { buildSignIn } from './sign-in.ts';

/** Wires authentication and authorization: the guard of the admin API and the routes that manage accounts. */
export async function buildAccess(
  parts: ServiceDependencies,
  apiTokens: TokenLookup,
  badTokens: BadTokenLimit,
  failedLogins: FailedLogins,
  sendToUser: SendToUser,
) {
  const { config, clock, database, log, lifetime, publicUrl } = parts;
  const { authType, basePath } = config;
  await createAdmin(parts);
  const activity = createActivityRecorder(database, clock, (error) =>
    log.error({ err: error }, 'storing when accounts were last used failed; it is retried'),
  );
  lifetime.onStop('activity of accounts', () => activity.stop());
  const sessions = sessionsOf(parts, activity);
  const limitOf: LimitOf = (name, counted, perMinute = config.loginRatePerMinute) =>
    rateLimit(clock, (points) => database.limiter(name, points, 60), counted, perMinute, 60);
  const accessRightsCache = createAccessRightsCache(database);
  const signIn = await buildSignIn(parts, sessions, limitOf('sso', 'logins from one address'), failedLogins);
  const { authSettings } = signIn;
  const isPublicUrlSet = config.publicUrl !== '';
  const originSettings = { trustProxy: config.trustProxy > 0, secure: config.secureCookies, publicUrl, isPublicUrlSet };
  const identification = {
    authType,
    apiTokens,
    personalTokens: createPersonalTokenLookup(database, clock),
    findSession: (request: RequestInfo) => sessions.find(request),
    accessRights: accessRightsCache,
    seen: activity.seen,
    badTokens,
    basePath,
    loginMethods: signIn.loginMethods,
    originSettings,
  };
  const identifyReader = createAdminGuard({ ...identification, seen: () => undefined });
  return {
    authSettings,
    projectGuard: createProjectGuard(accessRightsCache),
    guard: createAdminGuard(identification),
    /** Identifies the reader of an open stream again, which is no use of the session: a person may be away. */
    identifyReader: (request: RequestInfo) => identifyReader(request, 'GET', {}),
    handlers: {
      ...loginHandlers({
        authType,
        basePath,
        database,
        clock,
        failuresBeforeDelay: config.loginFailuresBeforeDelay,
        countFailure: failedLogins.count,
        check: await createPasswordCheck(database.db, activity.loginFailed),
        passwordsDisabled: () => authSettings.passwordsDisabled(),
        signOutUrl: signIn.signOutUrl,
        sessions,
        limit: limitOf('login', 'logins from one address'),
        originSettings,
        clearSiteData: config.clearSiteDataOnLogout,
      }),
      ...signIn.handlers,
      ...selfServiceHandlers(
        parts,
        sessions,
        accessRightsCache,
        limitOf('old-password', 'attempts to enter the old password'),
      ),
      ...serviceAccountHandlers(database),
      ...roleHandlers(database),
      ...groupHandlers(database),
      ...projectAccessHandlers(database),
      ...accountHandlers(parts, sessions, limitOf, sendToUser),
    },
  };
}

/** Creates the sessions, with the times of the settings. */
function sessionsOf(
  { clock, config, database }: ServiceDependencies,
  activity: Pick<ReturnType<typeof createActivityRecorder>, 'sessionSeen'>,
): Sessions {
  const { basePath } = config;
  return new Sessions(database, clock, {
    ttlHours: config.sessionTtlHours,
    idleMinutes: config.sessionIdleMinutes,
    lastUse: activity.sessionSeen,
    maxParallel: config.maxParallelSessions,
    basePath,
    secureCookies: config.secureCookies,
  });
}

/** Creates a rate limit per minute. `name` is its key in storage; `counted` says in the error text what is limited. */
type LimitOf = (name: string, counted: string, perMinute?: number) => RateLimit;

/** Returns the handlers that create and manage users and reset their passwords. */
function accountHandlers(
  { config, clock, database, log, publicUrl }: ServiceDependencies,
  sessions: Sessions,
  limitOf: LimitOf,
  sendToUser: SendToUser,
) {
  return {
    ...userHandlers(database, {
      sessions,
      publicUrl,
      sendToUser,
      limit: limitOf('create-user', 'users created from one address', config.createUserRatePerMinute),
    }),
    ...inactiveUserHandlers(database, clock, config.userInactivityDays),
    ...passwordResetHandlers(database, {
      clock,
      publicUrl,
      sendToUser,
      limit: limitOf('reset', 'uses of a link from one address'),
      emailLimit: limitOf('reset-email', 'e-mails to one address', 1),
      emailEnabled: config.emailHost !== '',
      onError: (error) => log.error({ err: error }, 'sending a password link by e-mail failed'),
    }),
    ...inviteLinkHandlers(database, { clock, publicUrl, limit: limitOf('invite', 'sign-ups from one address') }),
  };
}

/** Returns the handlers by which users manage their own account, tokens and sessions. */
function selfServiceHandlers(
  { config, database, clock }: ServiceDependencies,
  sessions: Sessions,
  accessRightsCache: AccessRightsCache,
  guesses: RateLimit,
) {
  return {
    ...meHandlers(database, accessRightsCache, guesses),
    ...personalTokenHandlers(database, config.personalTokenDays),
    ...allTokenHandlers(database),
    ...sessionHandlers(database, sessions, clock),
  };
}

/** Creates the first administrator, unless authentication is off. */
async function createAdmin({ config, database, log, onFirstAdmin }: ServiceDependencies): Promise<void> {
  if (config.authType === 'none') return;
  // An empty variable counts as unset.
  const username = config.adminUsername.trim() || settings.adminUsername.value.parse(undefined);
  const admin = await createFirstAdmin(database, { username, password: config.adminPassword });
  if (admin === undefined) return;
  if (admin.faults.length > 0)
    log.warn({ faults: admin.faults }, 'the first administrator has a weak password; change it');
  onFirstAdmin(admin);
}
