import type { Feature } from '#features/flags/feature/index.ts';
import { isoTime } from '#kernel/clock.ts';

/** The stages of a flag's lifecycle, in order (docs/spec#flag-lifecycle). */
export type Stage = 'initial' | 'pre-live' | 'live' | 'completed' | 'archived';

export interface StageEntry {
  readonly stage: Stage;
  /** The outcome of a completed flag; null in other stages. */
  readonly status: 'kept' | 'discarded' | null;
  readonly at: number;
}

/**
 * Returns the stages that a flag has entered, its current stage last. A flag only moves forward and can skip stages.
 */
export function stagesOf({ createdAt, preLiveAt, liveAt, completed, archivedAt }: StageFields): StageEntry[] {
  const entered: StageEntry[] = [{ stage: 'initial', status: null, at: createdAt }];
  if (preLiveAt !== null) entered.push({ stage: 'pre-live', status: null, at: preLiveAt });
  if (liveAt !== null) entered.push({ stage: 'live', status: null, at: liveAt });
  if (completed !== null) entered.push({ stage: 'completed', status: completed.status, at: completed.at });
  if (archivedAt !== null) entered.push({ stage: 'archived', status: null, at: archivedAt });
  return entered;
}

type StageFields = Pick<Feature, 'createdAt' | 'preLiveAt' | 'liveAt' | 'completed' | 'archivedAt'>;

/** Returns the current stage of a flag as the API answers it. */
export function presentStage(feature: StageFields) {
  return presentStageEntry(stagesOf(feature).at(-1) as StageEntry);
}

export function presentStageEntry({ stage, status, at }: StageEntry) {
  return { stage, status, enteredStageAt: isoTime(at) };
}
