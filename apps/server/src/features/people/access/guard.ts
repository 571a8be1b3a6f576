import { backgroundHeader } from '@yardarm/contract';
import type { ApiToken, TokenLookup } from '#features/people/api-tokens/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import { bearerToken } from '#http/bearer.ts';
import { unknownProject } from '#http/permission.ts';
import type { Guards, RequestInfo } from '#http/request.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { AccessRightsCache } from './access-rights-cache.ts';
import type { Account } from './account.ts';
import type { ActivityRecorder } from './activity-recorder.ts';
import { type OriginSettings, requireKnownHost, requireSameOrigin } from './cross-site.ts';
import { accountIdentity, adminTokenIdentity, anonymous, type Credential } from './identity.ts';

/** A personal token and the account it belongs to. */
export interface TokenOwner {
  readonly tokenId: number;
  /** In milliseconds UTC. */
  readonly expiresAt: number;
  readonly account: Account;
}

/** Finds the owner of a personal token by the token's secret; undefined when the token is unknown or has expired. */
export interface PersonalTokenLookup {
  /** Returns the owner of the token when it is cached; undefined otherwise. */
  peek(secret: string): TokenOwner | undefined;
  find(secret: string): Promise<TokenOwner | undefined>;
}

/** A session that has not ended, with the user's account. */
export interface OpenSession {
  readonly id: number;
  readonly account: Account;
  /** The time at which it ends unless it is used, in milliseconds UTC. */
  readonly endsAt: number;
}

/** The ways to log in that are enabled. */
export interface LoginMethods {
  readonly passwords: boolean;
  /** Through an OpenID Connect provider. */
  readonly oidc: boolean;
  /** Whether a user who forgot the password can ask for a link by e-mail. */
  readonly passwordResetByEmail: boolean;
}

export interface AdminGuardOptions {
  readonly authType: 'open-source' | 'none';
  readonly apiTokens: TokenLookup;
  readonly personalTokens: PersonalTokenLookup;
  /** Finds the session of the request's cookie; undefined without a cookie, or when the session has ended. */
  readonly findSession: (request: RequestInfo) => Promise<OpenSession | undefined>;
  readonly accessRights: AccessRightsCache;
  /** Records the use of an account and of the token or session that identified it. */
  readonly seen: ActivityRecorder['seen'];
  readonly badTokens: BadTokenLimit;
  readonly basePath: string;
  readonly loginMethods: () => Promise<LoginMethods>;
  readonly originSettings: OriginSettings;
}

/**
 * Creates the guard of the project that a path names. It decides in one place, before the body is read, so that no
 * handler tells a hidden project from one that does not exist.
 */
export function createProjectGuard({ hasProject }: Pick<AccessRightsCache, 'hasProject'>): Guards['project'] {
  return async (identity, project) => {
    if (identity.hidden.has(project) || !(await hasProject(project))) throw unknownProject(project);
  };
}

const personalPrefix = 'user:';

/**
 * Returns whether a page sent the request by itself: such requests are no use of a session, so that it ends while the
 * person is away. The stream of live pages is opened again whenever a proxy has closed it.
 */
function isBackground(request: RequestInfo): boolean {
  return request.header(backgroundHeader.toLowerCase()) === 'true' || request.path.endsWith('/api/admin/activity');
}

/**
 * Identifies callers of the admin API (docs/spec#token-kinds). A token takes precedence over a session cookie.
 * When authentication is off, a caller without a token is the anonymous administrator.
 */
export function createAdminGuard(options: AdminGuardOptions): Guards['admin'] {
  return async (request, method) => {
    const secret = bearerToken(request.header('authorization'));
    if (secret !== undefined) return byToken(options, request, secret);
    const changes = !['GET', 'HEAD'].includes(method);
    if (options.authType === 'none') {
      requireKnownHost(request, options.originSettings);
      if (changes) requireSameOrigin(request, options.originSettings);
      return anonymous;
    }
    const session = await options.findSession(request);
    if (session === undefined) throw authenticationRequired(options.basePath, await options.loginMethods());
    if (changes) requireSameOrigin(request, options.originSettings);
    if (!isBackground(request)) options.seen(session.account.id, { sessionId: session.id });
    return identify(options, session.account, { sessionId: session.id, tokenId: null, expiresAt: session.endsAt });
  };
}

async function byToken(options: AdminGuardOptions, request: RequestInfo, secret: string): Promise<Identity> {
  const { badTokens } = options;
  const found =
    peek(options, secret) ?? (await badTokens.lookUp(request.clientAddress, secret, () => find(options, secret)));
  if (found === undefined)
    throw new Problem('UnauthorizedError', 'This token is unknown or has expired. Create a new one.');
  if ('account' in found) {
    options.seen(found.account.id, { tokenId: found.tokenId });
    return identify(options, found.account, {
      sessionId: null,
      tokenId: found.tokenId,
      expiresAt: found.expiresAt,
    });
  }
  if (found.type !== 'admin')
    throw new Problem(
      'ForbiddenError',
      `A ${found.type} token cannot be used for the admin API. Use an admin token or a personal token.`,
    );
  return adminTokenIdentity(found);
}

async function identify(
  { accessRights }: AdminGuardOptions,
  account: Account,
  credential: Credential,
): Promise<Identity> {
  const rights = accessRights.peek(account.id) ?? (await accessRights.get(account.id));
  return accountIdentity(account, credential, rights);
}

function peek({ personalTokens, apiTokens }: AdminGuardOptions, secret: string): TokenOwner | ApiToken | undefined {
  return (secret.startsWith(personalPrefix) ? personalTokens.peek(secret) : undefined) ?? apiTokens.peek(secret);
}

/** Looks up a personal token, then an API token: an API token of a project called `user` has the same prefix. */
async function find(
  { personalTokens, apiTokens }: AdminGuardOptions,
  secret: string,
): Promise<TokenOwner | ApiToken | undefined> {
  const bearer = secret.startsWith(personalPrefix) ? await personalTokens.find(secret) : undefined;
  return bearer ?? apiTokens.find(secret);
}

/** Returns the 401 that lists the ways to log in. `defaultHidden` means that passwords are disabled. */
function authenticationRequired(basePath: string, methods: LoginMethods): Problem {
  const { passwords, oidc, passwordResetByEmail } = methods;
  const options = oidc
    ? [{ type: 'oidc', message: 'Sign in with OpenID Connect', path: `${basePath}/auth/oidc/login` }]
    : undefined;
  return new Problem('AuthenticationRequired', 'You must log in or send a token.', {
    extras: {
      type: 'password',
      path: `${basePath}/auth/simple/login`,
      defaultHidden: !passwords,
      ...(options === undefined ? {} : { options }),
      ...(passwordResetByEmail ? { passwordResetByEmail } : {}),
    },
  });
}
