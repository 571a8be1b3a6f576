import { type ApiToken, type TokenLookup, tokenKinds } from '#features/people/api-tokens/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import { bearerToken } from '#http/bearer.ts';
import type { Guards } from '#http/request.ts';
import type { ReadScope, SdkCaller } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';

export interface SdkGuardOptions {
  readonly authType: 'open-source' | 'none';
  readonly tokens: TokenLookup;
  readonly badTokens: BadTokenLimit;
}

/**
 * Creates the guard of the SDK routes (docs/spec#sdk-access). It rejects with 401 when the token is missing,
 * unknown or expired, and with 403 when the token is of another kind. With authentication off, a request without a
 * token gets all flags of `development`.
 */
export function createSdkGuard({ authType, tokens, badTokens }: SdkGuardOptions): Guards['sdk'] {
  return (request, type) => {
    const secret = bearerToken(request.header('authorization'));
    if (secret === undefined) {
      if (authType === 'none') return anonymous[type];
      throw missingToken(type);
    }
    const known = tokens.peek(secret);
    if (known !== undefined) return callerOf(known, type);
    return badTokens
      .lookUp(request.clientAddress, secret, () => tokens.find(secret))
      .then((token) => {
        if (token !== undefined) return callerOf(token, type);
        throw secret.startsWith('user:') ? wrongKind(type, 'personal') : invalidToken();
      });
  };
}

/**
 * Creates the guard of the routes of replicas. It rejects like {@link createSdkGuard}. With authentication off, a
 * request without a token gets everything.
 */
export function createReplicaGuard({ authType, tokens, badTokens }: SdkGuardOptions): Guards['replica'] {
  const scopeOf = ({ type, id, name, projects, environment }: ApiToken): ReadScope => {
    if (type !== 'replica') throw wrongKind('replica', type);
    return { tokenId: id, tokenName: name, projects, environment };
  };
  return async (request) => {
    const secret = bearerToken(request.header('authorization'));
    if (secret === undefined) {
      if (authType === 'none') return { ...everything, environment: '*' };
      throw missingToken('replica');
    }
    const token =
      tokens.peek(secret) ?? (await badTokens.lookUp(request.clientAddress, secret, () => tokens.find(secret)));
    if (token === undefined) throw secret.startsWith('user:') ? wrongKind('replica', 'personal') : invalidToken();
    return scopeOf(token);
  };
}

const everything = { tokenId: null, tokenName: 'unknown', projects: ['*'], environment: 'development' };
/** The callers of requests without a token when authentication is off. */
export const anonymous: Readonly<Record<RequiredKind, SdkCaller>> = {
  backend: { type: 'backend', ...everything },
  frontend: { type: 'frontend', ...everything },
  sdk: { type: 'backend', ...everything },
};

type RequiredKind = Parameters<Guards['sdk']>[1];

const kindNames = {
  backend: 'backend',
  frontend: 'frontend',
  sdk: 'backend or frontend',
  replica: 'replica',
} as const satisfies Record<RequiredKind | 'replica', string>;

const callers = new WeakMap<ApiToken, SdkCaller>();

/** Returns the caller with this token. Throws a 403 when the token is not of the required kind. */
export function callerOf(token: ApiToken, required: RequiredKind): SdkCaller {
  const type = tokenKinds[token.type].sdk;
  if (type === null || (required !== 'sdk' && required !== type)) throw wrongKind(required, token.type);
  const cached = callers.get(token);
  if (cached !== undefined) return cached;
  const { id, name, projects, environment } = token;
  const caller = { type, tokenId: id, tokenName: name, projects, environment };
  callers.set(token, caller);
  return caller;
}

function missingToken(required: keyof typeof kindNames): Problem {
  return unauthorized(`The Authorization header is missing. Send a ${kindNames[required]} API token in it.`);
}

function invalidToken(): Problem {
  return unauthorized('The API token is unknown or has expired. Ask an administrator for a new token.');
}

function unauthorized(message: string): Problem {
  return new Problem('UnauthorizedError', message, { headers: { 'www-authenticate': 'Bearer' } });
}

function wrongKind(required: keyof typeof kindNames, actual: string): Problem {
  return new Problem(
    'ForbiddenError',
    `This route requires a ${kindNames[required]} API token; the request has a token of kind ${actual}.`,
  );
}
