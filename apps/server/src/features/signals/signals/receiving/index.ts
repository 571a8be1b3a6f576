export { inflatedBody, parsePayload, payloadsOfBody, redacted } from './body.ts';
export { createSignalGuard } from './guard.ts';
export { createIngest, type Ingest } from './ingest.ts';
export { probeIngest } from './probe-ingest.ts';
export { storeSignals, storeTestSignal } from './store-signals.ts';
