export { requireReason } from './guard.ts';
