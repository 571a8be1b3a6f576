export {
  alertsPathOf,
  findEndpoint,
  isEnabled,
  listEndpoints,
  maxElementsOf,
  requireEndpoint,
  type SignalEndpoint,
  type SignalLimits,
  sealedHashKeys,
  sealedSigningSecrets,
  subscriptionHandlers,
} from './endpoints/index.ts';
export {
  countRefusedSignals,
  findDigests,
  findSignal,
  isSilence,
  newestSignalId,
  type PendingSignal,
  pendingSignals,
  presentDigest,
  Refusals,
  type RefusedSignals,
  type Signal,
  type SignalDigest,
  senderTokenId,
  signalHead,
  signalRetention,
  signalValue,
  silenceTokenId,
} from './log/index.ts';
export { createIngest, createSignalGuard, type Ingest, probeIngest, storeSignals } from './receiving/index.ts';
export { signalHandlers } from './routes.ts';
export {
  expectedAlerts,
  type SilenceState,
  type SilentEndpoint,
  silencePayload,
  silenceStatePath,
  silentEndpoints,
  watchSilence,
} from './silence/index.ts';
