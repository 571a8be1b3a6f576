export type { Call } from './call.ts';
export { callDeliveries } from './delivery.ts';
export { callRetention } from './retention.ts';
export { sealedCallKeys, sealedCalls } from './sealed.ts';
export { ensureSigningKey, presentKey, rotateSigningKey, signingKeys } from './signing-keys.ts';
export { callsOf, deliveriesOfRun, queueCall, queueFailedCalls, wasCalledSince } from './store.ts';
