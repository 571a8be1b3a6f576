export type { CallKind, Delivery, DeliveryState, IntegrationKind, Prepared, Receiver } from './delivery.ts';
export { type Health, healthOfAll, insertHealth, makeDue, resume } from './health.ts';
export {
  type Attempt,
  attemptsOf,
  attemptsOfAll,
  countUnsent,
  findDelivery,
  listDeliveries,
  maxRedelivered,
  queueAgain,
  redeliver,
  type Selection,
} from './log.ts';
export { deliveryRetention } from './retention.ts';
export { DeliverySender } from './sender.ts';
export {
  createSigningKey,
  rotateKeys,
  type SigningAlgorithm,
  type SigningKey,
  signedHeaders,
  verificationKey,
} from './signing.ts';
export { bury, queueDeliveries } from './store.ts';
