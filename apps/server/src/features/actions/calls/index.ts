export type { Call } from './call.ts';
export { Caller } from './caller.ts';
export { callsOf, isRepeated, queueCall } from './store.ts';
