export { type Exposure, exposure, type Need, type ServedState } from './exposure.ts';
