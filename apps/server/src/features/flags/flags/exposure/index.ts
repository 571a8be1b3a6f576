export { requireLower, runIfLower } from './lower-only.ts';
