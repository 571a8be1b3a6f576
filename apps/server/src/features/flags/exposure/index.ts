export { exposure, type ServedState } from './exposure.ts';
