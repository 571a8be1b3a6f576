import type { BadTokenLimit } from '../../http/bad-token-limit.ts';
import { bearerToken } from '../../http/bearer.ts';
import type { Guards, RequestInfo } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { ApiToken, TokenLookup } from '../api-tokens/index.ts';
import type { Account } from './account.ts';
import { accountIdentity, adminTokenIdentity, anonymous } from './identity.ts';
import { type OwnOrigin, requireOwnHost, requireOwnOrigin } from './own-origin.ts';
import type { Standings } from './standings.ts';
import type { Traces } from './traces.ts';

/** Who bears a personal token. */
export interface TokenBearer {
  readonly tokenId: number;
  readonly account: Account;
}

/** Finds who bears the personal token with a secret; undefined of one that is unknown or over. */
export interface BearerLookup {
  /** The answer if it is in memory. */
  peek(secret: string): TokenBearer | undefined;
  find(secret: string): Promise<TokenBearer | undefined>;
}

/** A person who has logged in. */
export interface OpenSession {
  readonly id: number;
  readonly account: Account;
}

/** How people log in. */
export interface LoginWays {
  readonly passwords: boolean;
  /** Through an OpenID Connect provider. */
  readonly oidc: boolean;
}

export interface AdminGuardOptions {
  readonly authType: 'open-source' | 'none';
  readonly apiTokens: TokenLookup;
  readonly personalTokens: BearerLookup;
  /** The session whose cookie a request bears; undefined when it has none, or one that is over. */
  readonly findSession: (request: RequestInfo) => Promise<OpenSession | undefined>;
  readonly standings: Standings;
  /** Told of every account that calls, and of what it is known by. */
  readonly seen: Traces['seen'];
  readonly badTokens: BadTokenLimit;
  readonly basePath: string;
  readonly loginWays: () => Promise<LoginWays>;
  readonly ownOrigin: OwnOrigin;
}

const personalPrefix = 'user:';

/**
 * Identifies callers of the administration API (docs/spec#token-kinds): by a token, which comes first, or
 * by the cookie of a session, or not at all where authentication is off.
 */
export function createAdminGuard(options: AdminGuardOptions): Guards['admin'] {
  return async (request, method) => {
    const secret = bearerToken(request.header('authorization'));
    if (secret !== undefined) return byToken(options, request, secret);
    const changes = !['GET', 'HEAD'].includes(method);
    if (options.authType === 'none') {
      requireOwnHost(request, options.ownOrigin);
      if (changes) requireOwnOrigin(request, options.ownOrigin);
      return anonymous;
    }
    const session = await options.findSession(request);
    if (session === undefined) throw authenticationRequired(options.basePath, await options.loginWays());
    if (changes) requireOwnOrigin(request, options.ownOrigin);
    options.seen(session.account.id, { sessionId: session.id });
    return identify(options, session.account, session.id);
  };
}

async function byToken(options: AdminGuardOptions, request: RequestInfo, secret: string): Promise<Identity> {
  const { badTokens } = options;
  const found =
    peek(options, secret) ?? (await badTokens.lookUp(request.clientAddress, secret, () => find(options, secret)));
  if (found === undefined) throw new Problem('UnauthorizedError', 'This token is not known here, or its time is over.');
  if ('account' in found) {
    options.seen(found.account.id, { tokenId: found.tokenId });
    return identify(options, found.account, null);
  }
  if (found.type !== 'admin')
    throw new Problem('ForbiddenError', `A ${found.type} token does not open the administration API.`);
  return adminTokenIdentity(found.name);
}

async function identify(
  { standings }: AdminGuardOptions,
  account: Account,
  sessionId: number | null,
): Promise<Identity> {
  const standing = standings.peek(account.id) ?? (await standings.of(account.id));
  return accountIdentity(account, sessionId, standing);
}

function peek({ personalTokens, apiTokens }: AdminGuardOptions, secret: string): TokenBearer | ApiToken | undefined {
  return (secret.startsWith(personalPrefix) ? personalTokens.peek(secret) : undefined) ?? apiTokens.peek(secret);
}

/** A project may be called `user` too, so an API token may begin like a personal one. */
async function find(
  { personalTokens, apiTokens }: AdminGuardOptions,
  secret: string,
): Promise<TokenBearer | ApiToken | undefined> {
  const bearer = secret.startsWith(personalPrefix) ? await personalTokens.find(secret) : undefined;
  return bearer ?? apiTokens.find(secret);
}

/** Tells how to log in: `defaultHidden` that passwords do not do, and `options` what does besides. */
function authenticationRequired(basePath: string, { passwords, oidc }: LoginWays): Problem {
  const options = oidc
    ? [{ type: 'oidc', message: 'Sign in with OpenID Connect', path: `${basePath}/auth/oidc/login` }]
    : undefined;
  return new Problem('AuthenticationRequired', 'You must log in, or send a token, to use this.', {
    extras: {
      type: 'password',
      path: `${basePath}/auth/simple/login`,
      defaultHidden: !passwords,
      ...(options === undefined ? {} : { options }),
    },
  });
}
