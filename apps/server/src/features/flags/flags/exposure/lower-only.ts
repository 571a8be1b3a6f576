import { dependenciesOf } from '#features/flags/dependencies/index.ts';
import { loadClientFeatures } from '#features/flags/reading/index.ts';
import { Problem } from '#kernel/errors.ts';
import { withRollback } from '#storage/rollback.ts';
import type { Tx } from '#storage/tx.ts';
import { type Exposure, exposure, type ServedState } from './exposure.ts';

interface Place {
  readonly featureName: string;
  readonly environment: string;
}

/**
 * Runs a change of a flag, and undoes it unless it is certain that no user gets the flag, or a child of the flag, who
 * did not get it before. Returns whether the change stands.
 */
export function runIfLower(tx: Tx, place: Place, change: (part: Tx) => Promise<void>): Promise<boolean> {
  return withRollback(tx, async (part, rollback) => {
    const { changed } = await withExposure(part, place, () => change(part));
    return isLower(changed) || rollback(false);
  });
}

/**
 * Runs a change of a flag that may only lower its exposure, and returns its result. Rejects with 403 unless
 * it is certain that no user gets the flag, or a child of the flag, who did not get it before.
 */
export async function requireLower<T>(tx: Tx, place: Place, change: () => Promise<T>): Promise<T> {
  const { changed, result } = await withExposure(tx, place, change);
  if (isLower(changed)) return result;
  const message = `During maintenance, and with the permission LOWER_EXPOSURE alone, no user may get ${place.featureName} in ${place.environment}, or a flag that depends on it, who did not get it before. This change does not rule that out.`;
  throw new Problem('PermissionError', message, { details: [{ message }] });
}

function isLower(changed: Exposure): boolean {
  return changed === 'lower' || changed === 'equal';
}

async function withExposure<T>(tx: Tx, place: Place, change: () => Promise<T>) {
  const before = await servedState(tx, place);
  const result = await change();
  const after = await servedState(tx, place);
  const { children } = await dependenciesOf(tx.db, [place.featureName]);
  return { result, changed: exposure(before, after, children) };
}

const notServed: ServedState = { enabled: false, strategies: [], variantsJson: '[]' };

async function servedState({ db }: Tx, { featureName, environment }: Place): Promise<ServedState> {
  const [feature] = await loadClientFeatures(db, [featureName]);
  return feature?.environments.find((state) => state.environment === environment) ?? notServed;
}
