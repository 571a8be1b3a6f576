export { requireEndpoint, type SignalLimits } from './commands.ts';
export { createSignalGuard } from './guard.ts';
export { createIngest } from './ingest.ts';
export { findSignal } from './queries.ts';
export { signalRetention } from './retention.ts';
export { signalHandlers } from './routes.ts';
export { senderTokenId } from './signal.ts';
export { listEndpoints } from './store.ts';
export { storeSignals } from './store-signals.ts';
