import type { nowLimits } from '@yardarm/contract';

/** The limits of the lists of Now. The type makes them those of the contract, which is too large for the bundle. */
export const listLimits: typeof nowLimits = {
  undecided: 50,
  runs: 25,
  refusals: 25,
  blocked: 25,
  safeguardsWithoutData: 25,
  waitingForMe: 25,
  scheduled: 25,
};
