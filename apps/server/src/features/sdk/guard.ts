import type { BadTokenLimit } from '../../http/bad-token-limit.ts';
import { bearerToken } from '../../http/bearer.ts';
import type { Guards } from '../../http/request.ts';
import type { SdkCaller } from '../../kernel/caller.ts';
import { Problem } from '../../kernel/errors.ts';
import type { ApiToken, TokenLookup } from '../api-tokens/index.ts';

export interface SdkGuardOptions {
  readonly authType: 'open-source' | 'none';
  readonly tokens: TokenLookup;
  readonly badTokens: BadTokenLimit;
}

/**
 * Identifies SDKs (docs/spec#sdk-access): 401 without a token, or with one that is unknown or over; 403 with a
 * token that opens something else. Where authentication is off, no token means all flags in `development`.
 */
export function createSdkGuard({ authType, tokens, badTokens }: SdkGuardOptions): Guards['sdk'] {
  return (request, type) => {
    const secret = bearerToken(request.header('authorization'));
    if (secret === undefined) {
      if (authType === 'none') return anonymous[type];
      throw unauthorized(`Send a ${wordsFor[type]} API token in the Authorization header.`);
    }
    const known = tokens.peek(secret);
    if (known !== undefined) return callerOf(known, type);
    return badTokens
      .lookUp(request.clientAddress, secret, () => tokens.find(secret))
      .then((token) => {
        if (token !== undefined) return callerOf(token, type);
        throw secret.startsWith('user:') ? ofAnotherKind(type, 'personal') : unknown();
      });
  };
}

const everything = { tokenId: null, tokenName: 'unknown', projects: ['*'], environment: 'development' };
/** Who calls without a token where none is asked for. */
export const anonymous: Readonly<Record<Wanted, SdkCaller>> = {
  backend: { type: 'backend', ...everything },
  frontend: { type: 'frontend', ...everything },
  sdk: { type: 'backend', ...everything },
};

type Wanted = Parameters<Guards['sdk']>[1];

const wordsFor: Readonly<Record<Wanted, string>> = {
  backend: 'backend',
  frontend: 'frontend',
  sdk: 'backend or frontend',
};

function kindOf(token: ApiToken): 'admin' | 'backend' | 'frontend' {
  return token.type === 'client' ? 'backend' : token.type;
}

const callers = new WeakMap<ApiToken, SdkCaller>();

/** The caller that bears `token`, a 403 when it is none of the wanted kind. */
export function callerOf(token: ApiToken, wanted: Wanted): SdkCaller {
  const type = kindOf(token);
  if (type === 'admin' || (wanted !== 'sdk' && wanted !== type)) throw ofAnotherKind(wanted, token.type);
  const known = callers.get(token);
  if (known !== undefined) return known;
  const { id, name, projects, environment } = token;
  const caller = { type, tokenId: id, tokenName: name, projects, environment };
  callers.set(token, caller);
  return caller;
}

function unknown(): Problem {
  return unauthorized('This token is not known here, or its time is over.');
}

function unauthorized(message: string): Problem {
  return new Problem('UnauthorizedError', message, { headers: { 'www-authenticate': 'Bearer' } });
}

function ofAnotherKind(wanted: Wanted, got: string): Problem {
  return new Problem('ForbiddenError', `This takes a ${wordsFor[wanted]} API token, not a token of the kind ${got}.`);
}
