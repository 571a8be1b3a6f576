export { nameOfRole } from './approval.ts';
export type { MilestoneRun } from './gate.ts';
export { type LookedAt, lookAtGates, opensAt } from './gates.ts';
export { safeguardGate } from './safeguard.ts';
