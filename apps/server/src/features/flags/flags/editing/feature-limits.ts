import { countInUse } from '#features/flags/feature/index.ts';
import type { requireProject } from '#features/projects/projects/index.ts';
import { Problem } from '#kernel/errors.ts';
import { limitReached } from '#kernel/limits.ts';
import type { Db, Tx } from '#storage/tx.ts';

/** Rejects with 400 when `more` flags would exceed the limit of active flags. */
export async function requireFeatureLimit(tx: Tx, limit: number, more: number): Promise<void> {
  if ((await countInUse(tx.db)) + more <= limit) return;
  throw limitReached(limit, 'flags', 'Archive flags that are no longer needed.');
}

/** Rejects with 403 when `more` flags would exceed the project's flag limit (docs/spec#flag-limits). */
export async function requireProjectFeatureLimit(
  db: Db,
  { id, featureLimit }: Awaited<ReturnType<typeof requireProject>>,
  more: number,
): Promise<void> {
  if (featureLimit === null || (await countInUse(db, id)) + more <= featureLimit) return;
  throw new Problem(
    'InvalidOperationError',
    `The project ${id} can have at most ${featureLimit} flags. Archive flags that are no longer needed.`,
  );
}
