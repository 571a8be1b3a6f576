import type { Author } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import type { Writer } from '#storage/commit/write.ts';
import type { Tx } from '#storage/tx.ts';
import { type Change, type RunContext, type RunWithSignal, takeBack, toChange } from '../runs/index.ts';

/** The result of a trial of taking a run back. */
export interface TakeBackPreview {
  readonly changes: readonly Change[];
  /** The reason why taking the run back would be refused; null when it would succeed. */
  readonly refused: string | null;
}

/** Rolls the trial back and carries its result. */
class TrialRollback extends Error {
  readonly preview: TakeBackPreview;
  constructor(preview: TakeBackPreview) {
    super('rolled back');
    this.preview = preview;
  }
}

/**
 * Takes a run back in a transaction, returns the changes or the reason of the refusal, and rolls everything back.
 * Rejects with 404 when the run does not exist.
 */
export function previewTakeBack(
  write: Writer['write'],
  by: Author,
  { limits }: RunContext,
  findRun: (tx: Tx) => Promise<RunWithSignal>,
): Promise<TakeBackPreview> {
  const attempt = write(by, async (tx): Promise<TakeBackPreview> => {
    const run = await findRun(tx);
    const refused = await takeBack(tx, limits, run).then(() => null, refusalIn);
    throw new TrialRollback({ changes: refused === null ? tx.recorded().map(toChange) : [], refused });
  });
  return attempt.catch((error: unknown) => {
    if (error instanceof TrialRollback) return error.preview;
    throw error;
  });
}

function refusalIn(error: unknown): string {
  if (error instanceof Problem && error.status < 500) return error.message;
  throw error;
}
