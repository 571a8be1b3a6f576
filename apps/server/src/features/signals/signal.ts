import { exceededBound } from '@yardarm/contract';
import { Problem } from '../../kernel/errors.ts';

/** Stands for the token of a signal that a person sent as a test: no row has it. */
export const testTokenId = 0;

/** The token of a sender; null for a test, which has none. */
export function sendersToken(tokenId: number): number | null {
  return tokenId === testTokenId ? null : tokenId;
}

/** A stored signal. `payload` is the JSON text that was sent. */
export interface Signal {
  readonly id: number;
  readonly endpointId: number;
  /** {@link testTokenId} for a test. */
  readonly tokenId: number;
  readonly createdAt: number;
  readonly payload: string;
}

/** A signal on its way in. */
export interface Incoming {
  readonly endpointId: number;
  readonly tokenId: number;
  readonly payload: string;
  /** What the sender calls this delivery, so that sending it again stores nothing. */
  readonly deliveryKey: string | undefined;
}

/** What became of it: stored now, or known from an earlier delivery. */
export interface Accepted {
  readonly signal: Signal;
  readonly duplicate: boolean;
}

/** Nesting of a payload (docs/spec#signal-body); its size alone bounds how much it holds. */
const payloadBounds = { depth: 64, members: Number.POSITIVE_INFINITY, values: Number.POSITIVE_INFINITY };

/**
 * Returns the payload to store for a body (docs/spec#signal-body): the text as it was sent, `{}` for none. Rejects with
 * 400 when the body is not JSON or is nested deeper than 64 levels.
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
