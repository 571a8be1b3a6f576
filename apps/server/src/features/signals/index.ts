export { requireEndpoint } from './commands.ts';
export { createSignalDoor } from './door.ts';
export { createIngest } from './ingest.ts';
export { findSignal } from './queries.ts';
export { signalRetention } from './retention.ts';
export { signalHandlers } from './routes.ts';
export { sendersToken } from './signal.ts';
export { listEndpoints } from './store.ts';
