import { placeOf, type StoredDeliveries } from './deliveries.ts';
import type { IncomingSignal, Signal } from './signal.ts';

/**
 * The kind of an incoming signal: new, a repetition of a stored signal or of one that comes before it in the same
 * commit, or another payload under a key that its sender has used.
 */
export type Recognised =
  | { readonly kind: 'new' }
  | { readonly kind: 'repetition'; readonly of: Signal | IncomingSignal }
  | { readonly kind: 'reused key' };

/** Recognises the repetitions among incoming signals, in order. */
export function recogniseRepetitions(
  group: readonly IncomingSignal[],
  { signals: stored }: Pick<StoredDeliveries, 'signals'>,
): Recognised[] {
  const firsts = new Map<string, IncomingSignal>();
  return group.map((incoming) => {
    const { endpointId, delivery } = incoming;
    if (delivery === undefined) return { kind: 'new' };
    const known = delivery.keys.flatMap((key) => {
      const place = placeOf(endpointId, key);
      const first = stored.get(place) ?? firsts.get(place);
      return first?.tokenId === incoming.tokenId ? [{ key, first }] : [];
    });
    const match = known[0] ?? formerMatch(incoming, delivery.former, stored);
    if (match === undefined) {
      for (const key of delivery.keys) firsts.set(placeOf(endpointId, key), incoming);
      return { kind: 'new' };
    }
    const isOther = match.key === delivery.chosen && match.first.payload !== incoming.payload;
    return isOther ? { kind: 'reused key' } : { kind: 'repetition', of: match.first };
  });
}

/** Returns the signal that version 0.9 stored for the same delivery: it kept ids without the token of the sender. */
function formerMatch({ endpointId, tokenId, payload }: IncomingSignal, former: readonly string[], stored: Stored) {
  for (const key of former) {
    const first = stored.get(placeOf(endpointId, key));
    if (first?.tokenId === tokenId && first.payload === payload) return { key, first };
  }
  return undefined;
}

type Stored = StoredDeliveries['signals'];
