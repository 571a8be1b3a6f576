export type { Call } from './call.ts';
export { Caller } from './caller.ts';
export { sealedCalls } from './sealed.ts';
export { callsOf, isRepeated, queueCall } from './store.ts';
