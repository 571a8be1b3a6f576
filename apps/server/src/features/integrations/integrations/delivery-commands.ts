import {
  createSigningKey,
  makeDue,
  maxRedelivered,
  redeliver,
  resume,
  rotateKeys,
  type Selection,
  type SigningAlgorithm,
  verificationKey,
} from '#features/platform/deliveries/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import { requireChangeable } from './commands.ts';
import { requireDelivery } from './delivery-queries.ts';
import * as store from './store.ts';

/**
 * Queues messages of an integration again. Rejects with 404 for an unknown delivery, and with 409 for a delivery that
 * waits, or a disabled integration.
 */
export async function redeliverEvents(tx: Tx, id: number, selection: Selection, lifetimeMs: number) {
  const { enabled } = await requireChangeable(tx, id);
  if (!enabled) throw new Problem('ConflictError', `The integration ${id} is disabled. Enable it first.`);
  if ('id' in selection) {
    const delivery = await requireDelivery(tx.db, id, selection.id);
    if (delivery.state === 'waiting')
      throw new Problem('ConflictError', `The delivery ${selection.id} is already queued to be sent.`);
  }
  const { redelivered, lastEventId } = await redeliver(tx, id, selection, lifetimeMs);
  const selected = 'id' in selection ? { deliveryId: selection.id } : selection;
  if (redelivered > 0) tx.record({ type: 'integration-redelivered', data: { id, redelivered, ...selected } });
  const more = redelivered === maxRedelivered;
  const nextEventId = more && !('failed' in selection) && lastEventId !== null ? lastEventId + 1 : null;
  return { redelivered, more, nextEventId };
}

/** Resumes a paused integration, and makes its waiting messages due. */
export async function resumeIntegration(tx: Tx, id: number): Promise<void> {
  await requireChangeable(tx, id);
  if (await resume(tx, id)) await makeDue(tx, id);
}

/** Replaces the signing key. Returns the key that the receiver verifies signatures with. */
export async function rotateKey(tx: Tx, id: number, algorithm: SigningAlgorithm): Promise<string> {
  await requireChangeable(tx, id);
  const before = (await store.signingKeysOf(tx.db, [id])).get(id) ?? [];
  const key = createSigningKey(algorithm, tx.now);
  await store.saveSigningKeys(tx, id, rotateKeys(before, key, tx.now));
  tx.record({ type: 'integration-key-rotated', data: { id, algorithm } });
  return verificationKey(key);
}

/** Records the event that a test sends. */
export async function recordTest(tx: Tx, id: number): Promise<void> {
  const { description, provider } = await requireChangeable(tx, id);
  tx.record({ type: 'integration-tested', data: { id, provider, description } });
}
