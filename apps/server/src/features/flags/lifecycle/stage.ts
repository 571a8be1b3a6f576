import { isoTime } from '../../../kernel/clock.ts';
import type { Feature } from '../feature/index.ts';

/** Stages of a flag's life, in their order (docs/spec#flag-lifecycle). */
export type Stage = 'initial' | 'pre-live' | 'live' | 'completed' | 'archived';

export interface Entered {
  readonly stage: Stage;
  /** What became of a flag that is completed. */
  readonly status: 'kept' | 'discarded' | null;
  readonly at: number;
}

/** The stages that a flag is and has been in, the one it is in last. It goes forward only, and may leave some out. */
export function stagesOf({ createdAt, preLiveAt, liveAt, completed, archivedAt }: StagedFlag): Entered[] {
  const entered: Entered[] = [{ stage: 'initial', status: null, at: createdAt }];
  if (preLiveAt !== null) entered.push({ stage: 'pre-live', status: null, at: preLiveAt });
  if (liveAt !== null) entered.push({ stage: 'live', status: null, at: liveAt });
  if (completed !== null) entered.push({ stage: 'completed', status: completed.status, at: completed.at });
  if (archivedAt !== null) entered.push({ stage: 'archived', status: null, at: archivedAt });
  return entered;
}

type StagedFlag = Pick<Feature, 'createdAt' | 'preLiveAt' | 'liveAt' | 'completed' | 'archivedAt'>;

/** The stage that a flag is in, as it is answered. */
export function presentStage(feature: StagedFlag) {
  return presentEntered(stagesOf(feature).at(-1) as Entered);
}

export function presentEntered({ stage, status, at }: Entered) {
  return { stage, status, enteredStageAt: isoTime(at) };
}
