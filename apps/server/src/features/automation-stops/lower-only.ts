import { withRollback } from '../../storage/rollback.ts';
import type { Tx } from '../../storage/tx.ts';
import { dependenciesOf, exposure, loadClientFeatures, type ServedState } from '../flags/index.ts';
import type { Place } from '../overrides/index.ts';

/**
 * Runs a change of a flag, and undoes it unless it is certain that no user gets the flag, or a child of the flag, who
 * did not get it before. Returns whether the change stands.
 */
export function runIfLower(tx: Tx, place: Place, change: (part: Tx) => Promise<void>): Promise<boolean> {
  return withRollback(tx, async (part, rollback) => {
    const before = await servedState(part, place);
    await change(part);
    const after = await servedState(part, place);
    const { children } = await dependenciesOf(part.db, [place.featureName]);
    const changed = exposure(before, after, children);
    return changed === 'lower' || changed === 'equal' || rollback(false);
  });
}

const notServed: ServedState = { enabled: false, strategies: [], variantsJson: '[]' };

async function servedState({ db }: Tx, { featureName, environment }: Place): Promise<ServedState> {
  const [feature] = await loadClientFeatures(db, [featureName]);
  return feature?.environments.find((state) => state.environment === environment) ?? notServed;
}
