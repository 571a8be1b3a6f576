import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import type { ActionSet } from './action-set.ts';
import { checkSet, type SetLimits } from './check.ts';
import { deleteSet, requireSet, saveSet, setEnabled } from './commands.ts';
import { findPair } from './pairs.ts';

/** Which sets are merged, and what becomes of the one that releases. */
export interface MergeRequest {
  readonly project: string;
  readonly holdingId: number;
  readonly releasingId: number;
  readonly afterwards: 'disable' | 'delete';
}

/**
 * Merges two sets: the set that holds flags also releases them from now on, and the other set is disabled or deleted.
 * Existing holds and runs stay with the first set. Rejects with 409 when the two sets are no pair, or when the merge
 * would change what they do.
 */
export async function mergeSets(
  tx: Tx,
  limits: SetLimits,
  { project, holdingId, releasingId, afterwards }: MergeRequest,
): Promise<ActionSet> {
  const [holding, releasing] = [
    await requireSet(tx.db, project, holdingId),
    await requireSet(tx.db, project, releasingId),
  ];
  const pair = await findPair(tx.db, project, holdingId, releasingId);
  if (pair === undefined)
    throw cannotMerge([
      `“${releasing.name}” must release what “${holding.name}” holds, for signals of the same endpoint.`,
    ]);
  if (pair.problems.length > 0) throw cannotMerge(pair.problems);
  await checkSet(tx.db, limits, pair.merged);
  const merged = await saveSet(tx, holding, pair.merged);
  if (afterwards === 'delete') await deleteSet(tx, project, releasingId);
  else await setEnabled(tx, project, releasingId, false);
  return merged;
}

function cannotMerge(problems: readonly string[]): Problem {
  const message = `The two action sets cannot be merged. ${problems.join(' ')}`;
  return new Problem('ConflictError', message, { details: problems.map((problem) => ({ message: problem })) });
}
