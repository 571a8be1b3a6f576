export type { Call } from './call.ts';
export { CallSender } from './call-sender.ts';
export { sealedCalls } from './sealed.ts';
export { callsOf, queueCall, wasCalledSince } from './store.ts';
