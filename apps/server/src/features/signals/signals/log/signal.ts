import { parseExactJson } from '@yardarm/contract';
import type { DeliveryKeys } from './delivery-keys.ts';

/** The token id of test signals, which users send without a token. No token has this id. */
export const testTokenId = 0;

/** The token id of signals by which Yardarm reports a silence. No token has this id, so no sender can send one. */
export const silenceTokenId = -1;

/** Returns the id of the token that a signal was sent with; null for a signal of a test or a silence. */
export function senderTokenId(tokenId: number): number | null {
  return tokenId === testTokenId || tokenId === silenceTokenId ? null : tokenId;
}

/** Returns whether a signal reports a silence of its endpoint. */
export function isSilence({ tokenId }: Pick<Signal, 'tokenId'>): boolean {
  return tokenId === silenceTokenId;
}

/** A stored signal. `payload` is the JSON text that was sent. */
export interface Signal {
  readonly id: number;
  readonly endpointId: number;
  /** {@link testTokenId} for a test signal, {@link silenceTokenId} for a silence. */
  readonly tokenId: number;
  readonly createdAt: number;
  readonly payload: string;
  /** JSON: the fields that the source of the endpoint recognised; null when it recognised none. */
  readonly normalized: string | null;
}

/**
 * Returns the value that filters and templates read: the payload, and in its member `normalized` the fields that the
 * source of the endpoint recognised.
 */
export function signalValue({ payload, normalized }: Pick<Signal, 'payload' | 'normalized'>): unknown {
  const value = parseExactJson(payload);
  if (normalized === null) return value;
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return { ...(isObject ? value : {}), normalized: JSON.parse(normalized) };
}

/** A signal to store. */
export interface IncomingSignal {
  readonly endpointId: number;
  readonly tokenId: number;
  readonly payload: string;
  readonly normalized: string | null;
  /** The keys of the delivery: a repetition with one of them stores nothing. */
  readonly delivery: DeliveryKeys | undefined;
}

/** The stored signal. A `duplicate` was stored by an earlier delivery with the same key. */
export interface AcceptedSignal {
  readonly signal: Signal;
  readonly duplicate: boolean;
}
