import { type EventType, eventLabels } from '@yardarm/contract';
import { isoTime } from '../../../kernel/clock.ts';
import { JsonText } from '../../../kernel/json-text.ts';
import { presentAction, presentWithout } from '../sets/index.ts';
import type { Change, RanAction } from './run.ts';
import type { RunWithSignal } from './store.ts';

export function presentRun(run: RunWithSignal) {
  const { set, signal } = run;
  return {
    id: run.id,
    actionSetId: run.actionSetId,
    signalId: run.signalId,
    createdAt: isoTime(run.createdAt),
    state: run.state,
    reason: run.reason,
    element: run.element,
    shadow: run.shadow,
    trigger: run.cause,
    takesBackRunId: run.takesBackRunId,
    signal: {
      id: run.signalId,
      source: 'signal-endpoint' as const,
      sourceId: signal?.endpointId ?? set.endpointId,
      createdAt: isoTime(signal?.createdAt ?? run.createdAt),
      createdBySourceTokenId: run.tokenId,
      payload: new JsonText(signal?.payload ?? 'null'),
    },
    actionSet: {
      ...presentWithout(set),
      actions: set.actions.map(presentRanAction),
    },
  };
}

export function presentRanAction({ state, details, changes, ...action }: RanAction) {
  return { ...presentAction(action), state, details, changes: changes.map(presentChange) };
}

/** Something that was changed, or would be, with what people call it. */
export function presentChange({ type, featureName, environment }: Change) {
  return { type, label: eventLabels[type as EventType] ?? type, featureName, environment };
}
