export { bodyOfSet } from './action-draft.ts';
export { BlockedBadge } from './blocked.tsx';
export { draftOfSignal } from './draft-of-signal.ts';
export { FreezeButton } from './freeze-automation.tsx';
export { MakeAction } from './make-action.tsx';
export { SignalRuns } from './runs/signal-runs.tsx';
