import { exceededBound } from '@yardarm/contract';
import { Problem } from '../../kernel/errors.ts';

/** The token id of test signals, which users send without a token. No token has this id. */
export const testTokenId = 0;

/** Returns the id of the token that a signal was sent with; null for a test signal, which has no token. */
export function senderTokenId(tokenId: number): number | null {
  return tokenId === testTokenId ? null : tokenId;
}

/** A stored signal. `payload` is the JSON text that was sent. */
export interface Signal {
  readonly id: number;
  readonly endpointId: number;
  /** {@link testTokenId} for a test signal. */
  readonly tokenId: number;
  readonly createdAt: number;
  readonly payload: string;
}

/** A signal to store. */
export interface IncomingSignal {
  readonly endpointId: number;
  readonly tokenId: number;
  readonly payload: string;
  /** The idempotency key of the sender: a retry with the same key stores nothing. */
  readonly deliveryKey: string | undefined;
}

/** The stored signal. A `duplicate` was stored by an earlier delivery with the same key. */
export interface AcceptedSignal {
  readonly signal: Signal;
  readonly duplicate: boolean;
}

/** The nesting limit of a payload (docs/spec#signal-body). The number of values is bounded by the size of the body. */
const payloadBounds = { depth: 64, members: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/**
 * Returns the payload to store for a body (docs/spec#signal-body): the text as it was sent, or `{}` for an empty body.
 * Throws a 400 when the body is not JSON or is nested deeper than 64 levels.
 */
export function payloadOf(body: string | null): string {
  if (body === null || body.trim() === '') return '{}';
  const exceeded = exceededBound(body, payloadBounds);
  if (exceeded !== undefined) throw new Problem('BadDataError', `The body ${exceeded}.`);
  try {
    JSON.parse(body);
  } catch (error) {
    throw new Problem('BadDataError', 'The body is not valid JSON.', { cause: error });
  }
  return body;
}
