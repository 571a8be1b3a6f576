export {
  type HeldAlert,
  type HeldMilestone,
  type Hold,
  type HoldEffect,
  type Holder,
  inForce,
  percentageParameters,
  shareOf,
  stateOf,
} from './hold.ts';
export { presentHold } from './present.ts';
export { holdColumns, holdEffectColumns, milestoneText, toHold, toHoldEffect } from './row.ts';
