export { appendSignal, appendSignals, signalTable } from './append-signals.ts';
export { deleteExpiredDeliveries, findDeliveries, saveDeliveries } from './deliveries.ts';
export { deliveryKeysOf } from './delivery-keys.ts';
export { findDigests, type SignalDigest } from './digest.ts';
export {
  presentAccepted,
  presentAnswer,
  presentDeleted,
  presentDigest,
  presentRefusal,
  receivedJson,
} from './present.ts';
export {
  countSignals,
  findSignal,
  newestSignalId,
  type PendingSignal,
  pagesOfSignals,
  pendingSignals,
  type ReceivedSignal,
} from './queries.ts';
export { listRefusals, Refusals } from './refusals.ts';
export { countRefusedSignals, type RefusedSignals } from './refused-signals.ts';
export { recogniseRepetitions } from './repetitions.ts';
export { signalRetention } from './retention.ts';
export {
  type AcceptedSignal,
  type IncomingSignal,
  isSilence,
  type Signal,
  senderTokenId,
  signalValue,
  silenceTokenId,
  testTokenId,
} from './signal.ts';
export { signalHead } from './signal-head.ts';
