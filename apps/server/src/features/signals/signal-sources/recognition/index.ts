export { recognise, type SignalFields } from './fields.ts';
export type { Identity } from './identity.ts';
