import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenLookup, TokenWithHash } from '#features/people/api-tokens/index.ts';
import type { BadTokenLimit } from '#http/bad-token-limit.ts';
import type { Guards } from '#http/request.ts';
import type { Clock } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import { anonymous, callerOf } from './guard.ts';

/** Tokens made within one period are equal, so that the answer that contains the token, and its ETag, do not change. */
const periodMs = 30 * 60 * 1000;

/** The stream token when authentication is off. */
const noToken = 'none';

/**
 * Returns a token for the URL of an event stream, where a client cannot send headers. It gives the access of the API
 * token, for streams only, and is valid for 30 to 60 minutes. It is signed with the stored hash of the API token, so it
 * ends when that token is deleted, and every process can check it.
 */
export function streamToken(known: TokenWithHash | undefined, now: number): string {
  if (known === undefined) return noToken;
  const claim = `${known.token.id}.${(Math.floor(now / periodMs) + 2) * periodMs}`;
  return `${claim}.${signature(claim, known.secretHash)}`;
}

export interface StreamGuardOptions {
  readonly authType: 'open-source' | 'none';
  readonly tokens: TokenLookup;
  readonly badTokens: BadTokenLimit;
  readonly clock: Clock;
}

/**
 * Creates the guard of routes that take a {@link streamToken}. It rejects with 401 when the token is missing, wrong or
 * expired.
 */
export function createStreamGuard({ authType, tokens, badTokens, clock }: StreamGuardOptions): Guards['stream'] {
  return async (request, sent) => {
    if (authType === 'none' && (sent === undefined || sent === noToken)) return anonymous.sdk;
    if (sent === undefined)
      throw unauthorized(
        'The URL has no stream token. Use the event stream URL from an answer of POST /ofrep/v1/evaluate/flags.',
      );
    const token = await badTokens.lookUp(request.clientAddress, sent, () => check(tokens, sent, clock.now()));
    if (token === undefined)
      throw unauthorized(
        'The stream token in the URL is invalid or has expired. Evaluate the flags again to get a new URL.',
      );
    return callerOf(token.token, 'sdk');
  };
}

async function check(tokens: TokenLookup, sent: string, now: number): Promise<TokenWithHash | undefined> {
  const [claim, id, expires, signed] = /^((\d{1,15})\.(\d{1,15}))\.([\w-]{43})$/.exec(sent)?.slice(1) ?? [];
  if (claim === undefined || signed === undefined || Number(expires) <= now) return undefined;
  const known = await tokens.findById(Number(id));
  if (known === undefined) return undefined;
  return timingSafeEqual(Buffer.from(signed), Buffer.from(signature(claim, known.secretHash))) ? known : undefined;
}

function signature(claim: string, key: string): string {
  return createHmac('sha256', key).update(`stream ${claim}`).digest('base64url');
}

function unauthorized(message: string): Problem {
  return new Problem('UnauthorizedError', message);
}
