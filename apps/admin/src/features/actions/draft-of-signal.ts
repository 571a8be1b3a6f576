import type { NormalizedSignal, SignalState } from '@yardarm/contract';
import type { ConstraintDraft } from '../../entities/constraints/draft.ts';
import { newConstraint } from '../../entities/constraints/draft.ts';
import type { ActionSetDraft } from './action-draft.ts';
import { draftOfSet, newAction } from './action-draft.ts';

/** The states of a problem, each with the state that ends it. */
const ends = { firing: 'resolved', failed: 'succeeded' } as const;
/** The state of the problem that a signal belongs to, by the state of the signal: `resolved` belongs to `firing`. */
const begins: Readonly<Record<SignalState, keyof typeof ends>> = {
  firing: 'firing',
  resolved: 'firing',
  pending: 'firing',
  failed: 'failed',
  succeeded: 'failed',
};

/**
 * Returns the draft of a set that holds a flag off from the alert of a signal to its end. When the signal has no state
 * that its source recognised, the filters stay empty and the user has to write them.
 */
export function draftOfSignal(sourceId: number, normalized: NormalizedSignal | null): ActionSetDraft {
  const draft = { ...draftOfSet(undefined), sourceId: String(sourceId) };
  const alerts = normalized?.elements ?? [];
  const alert = alerts[0] ?? normalized;
  if (normalized === null || alert === null || alert.state === null) return draft;
  const state = begins[alert.state];
  const item = alerts.length > 0 ? 'item' : 'normalized';
  const title = normalized.title ?? alert.title;
  const titlePath = normalized.title === null ? `${item}.title` : 'normalized.title';
  const during = (of: SignalState) => [
    isOneOf(`${item}.state`, of),
    ...(title === null ? [] : [isOneOf(titlePath, title)]),
  ];
  return {
    ...draft,
    name: `Hold off while ${title ?? state}`.slice(0, 255),
    forEach: alerts.length > 0 ? 'normalized.elements' : '',
    filters: during(state),
    releaseFilters: during(ends[state]),
    actions: [{ ...newAction(), action: 'HOLD_FEATURE', params: { effect: 'off', reason: `{{${item}.title}}` } }],
  };
}

function isOneOf(path: string, value: string): ConstraintDraft {
  return { ...newConstraint(), contextName: path, values: [value] };
}
