import { createHmac, timingSafeEqual } from 'node:crypto';
import type { BadTokenLimit } from '../../http/bad-token-limit.ts';
import type { Guards } from '../../http/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { TokenLookup, TokenWithHash } from '../api-tokens/index.ts';
import { anonymous, callerOf } from './guard.ts';

/** Tokens for URLs that are made within so long are the same, so that an answer that holds one stays as it is. */
const periodMs = 30 * 60 * 1000;

/** Stands for a token where none is asked for. */
const noToken = 'none';

/**
 * A token to stand in the URL of a stream, where headers cannot be sent: it opens streams of what the API token opens and
 * nothing else, for half an hour to an hour. It is made with what is stored of the API token, so it ends with that one, and every
 * process can check it. `none` where no token is asked for.
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

/** Identifies who opens a stream with a {@link streamToken}: 401 when it is missing, wrong, or its time is over. */
export function createStreamGuard({ authType, tokens, badTokens, clock }: StreamGuardOptions): Guards['stream'] {
  return async (request, sent) => {
    if (authType === 'none' && (sent === undefined || sent === noToken)) return anonymous.sdk;
    if (sent === undefined) throw refused('Take the URL of this stream from the answer of an evaluation.');
    const token = await badTokens.lookUp(request.clientAddress, sent, () => check(tokens, sent, clock.now()));
    if (token === undefined) throw refused('The token in this URL is not known here, or its time is over.');
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

function refused(message: string): Problem {
  return new Problem('UnauthorizedError', message);
}
