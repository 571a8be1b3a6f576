export { type Hold, type Holder, inForce, type Lease } from './hold.ts';
export { presentLease } from './present.ts';
export { holdColumns, leaseColumns, toHold, toLease } from './row.ts';
