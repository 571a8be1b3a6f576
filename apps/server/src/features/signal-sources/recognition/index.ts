export { recognise, type SignalFields } from './fields.ts';
