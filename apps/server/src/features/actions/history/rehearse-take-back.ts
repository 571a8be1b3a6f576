import type { Author } from '../../../kernel/actor.ts';
import { Problem } from '../../../kernel/errors.ts';
import type { Tx } from '../../../storage/tx.ts';
import type { Writer } from '../../../storage/commit/write.ts';
import { type Change, changeOf, type RunContext, type RunWithSignal, takeBack } from '../runs/index.ts';

/** What taking a run back would come to. */
export interface Prospect {
  readonly changes: readonly Change[];
  /** Why it would be refused; null when it would not. */
  readonly refused: string | null;
}

/** Ends the attempt, with all that it did. */
class Over extends Error {
  readonly prospect: Prospect;
  constructor(prospect: Prospect) {
    super('over');
    this.prospect = prospect;
  }
}

/** Takes a run back, tells what that changed or what was against it, and undoes it. A 404 when there is no such run. */
export function rehearseTakeBack(
  write: Writer['write'],
  by: Author,
  { limits }: RunContext,
  findRun: (tx: Tx) => Promise<RunWithSignal>,
): Promise<Prospect> {
  const attempt = write(by, async (tx): Promise<Prospect> => {
    const run = await findRun(tx);
    const refused = await takeBack(tx, limits, run).then(() => null, refusalIn);
    throw new Over({ changes: refused === null ? tx.recorded().map(changeOf) : [], refused });
  });
  return attempt.catch((error: unknown) => {
    if (error instanceof Over) return error.prospect;
    throw error;
  });
}

function refusalIn(error: unknown): string {
  if (error instanceof Problem && error.status < 500) return error.message;
  throw error;
}
