import { type Delivery, findDelivery } from '#features/platform/deliveries/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';

/** Returns a delivery of an integration. Rejects with 404 when it does not exist. */
export async function requireDelivery(db: Db, integrationId: number, id: number): Promise<Delivery> {
  const delivery = await findDelivery(db, integrationId, id);
  if (delivery === undefined) throw new Problem('NotFoundError', `There is no delivery ${id}.`);
  return delivery;
}
