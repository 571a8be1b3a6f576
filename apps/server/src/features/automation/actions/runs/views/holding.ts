import { createHash } from 'node:crypto';
import { findKind } from '../../kinds/index.ts';
import { conditionOf, type PayloadView, type RunValues } from '../../matching/index.ts';
import type { Action, ActionSet } from '../../sets/index.ts';
import { renderParametersIfPossible } from './parameters.ts';

type Actions = Pick<ActionSet, 'actions'>;

/** Returns whether an action holds flags. */
export function isHolding({ action }: Pick<Action, 'action'>): boolean {
  return findKind(action)?.release !== undefined;
}

/** Returns whether all actions of a set return flags to their configured state. */
export function onlyGivesBack({ actions }: Actions): boolean {
  return actions.every(({ action }) => findKind(action)?.givesBack);
}

/** Returns the actions. The parameters of those that hold flags are rendered with the values of the payload. */
export function withHeldFlags<A extends Action>(actions: readonly A[], view: PayloadView, run: RunValues): A[] {
  const values = { payload: view.payload, run };
  return actions.map((action) => (isHolding(action) ? renderParametersIfPossible(action, values) : action));
}

/**
 * Returns the condition under which runs of a set wait to hold flags; undefined for a set that holds nothing. A later
 * run with the same condition replaces the earlier one. The condition is the fingerprint of the alert. Without a
 * fingerprint, it is empty if the set releases what it holds, and otherwise a hash of the holds that the run asks for.
 */
export function waitsForOf({ releaseFilters, actions }: ActionSet, view: PayloadView): string | undefined {
  if (releaseFilters !== null) return conditionOf(view) ?? '';
  if (!actions.some(isHolding)) return undefined;
  return conditionOf(view) ?? `holds ${hashOf(withHeldFlags(actions, view, { id: 0, url: '' }))}`;
}

function hashOf(actions: readonly Action[]): string {
  const holds = actions.filter(isHolding).map(({ executionParams }) => executionParams);
  return createHash('sha256').update(JSON.stringify(holds)).digest('hex');
}
