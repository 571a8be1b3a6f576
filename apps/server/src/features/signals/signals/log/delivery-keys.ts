import { hash } from 'node:crypto';
import type { DeliveryRequest, SignalSource } from '#features/signals/signal-sources/index.ts';
import { Problem } from '#kernel/errors.ts';

/** The keys by which a repetition of a delivery is recognised (docs/spec#repeated-deliveries). */
export interface DeliveryKeys {
  /** The keys to store. A delivery with one of them is a repetition. */
  readonly keys: readonly string[];
  /** The one of `keys` that the sender chose: another payload with this key is refused. */
  readonly chosen: string | undefined;
  /** The ids by which version 0.9 stored the delivery, without its token. */
  readonly former: readonly string[];
}

const maxIdLength = 255;

/**
 * Returns the keys of a delivery, which belong to the token of its sender; undefined when it has none. The key is the
 * id that the sender signs, or else the signature itself and the id in a header or of the source: a replayed request
 * could have another id in a header. Throws a 400 when an id is too long.
 */
export function deliveryKeysOf(
  request: DeliveryRequest,
  { deliveryIds }: Pick<SignalSource, 'deliveryIds'>,
  { tokenId, signature }: { readonly tokenId: number; readonly signature: string | null },
): DeliveryKeys | undefined {
  const { header } = request;
  const { signed, unsigned } = deliveryIds;
  // An empty id counts as none: otherwise all deliveries with an empty id would be repetitions of each other.
  const signedId = storableId(signed?.read(request) || undefined);
  const headerId = storableId(header('idempotency-key') || header('webhook-id') || undefined);
  const ownId = storableId(unsigned?.read(request) || undefined);
  const formerId = unsigned?.readFormer === undefined ? ownId : storableId(unsigned.readFormer(request));
  const former = [...new Set([signedId, headerId, formerId].filter((id) => id !== undefined))];
  const keyOf = (kind: 'id' | 'signature', value: string) => `${tokenId}:${kind}:${value}`;
  if (signedId !== undefined) return { keys: [keyOf('id', signedId)], chosen: undefined, former };
  const id = headerId ?? ownId;
  const idKey = id === undefined ? undefined : keyOf('id', id);
  const isChosen = headerId !== undefined || unsigned?.isInPayload === false;
  const signatureKey = signature === null ? undefined : keyOf('signature', signature);
  const keys = [signatureKey, idKey].filter((key) => key !== undefined);
  return keys.length === 0 ? undefined : { keys, chosen: isChosen ? idKey : undefined, former };
}

/**
 * Returns an id that both engines store and find again. An id from a payload may contain U+0000, which PostgreSQL
 * rejects, or an unpaired surrogate, which is stored as U+FFFD: its JSON text, where both are escaped, is hashed. The
 * error of one key would fail the requests of all senders in the same commit.
 */
function storableId(id: string | undefined): string | undefined {
  if (id === undefined) return undefined;
  if (id.length > maxIdLength)
    throw new Problem('BadDataError', `The idempotency key or delivery id may have at most ${maxIdLength} characters.`);
  return id.includes('\0') || !id.isWellFormed() ? hash('sha256', JSON.stringify(id), 'hex') : id;
}
