export { type Hold, type HoldEffect, type Holder, inForce } from './hold.ts';
export { presentHold } from './present.ts';
export { holdColumns, holdEffectColumns, toHold, toHoldEffect } from './row.ts';
