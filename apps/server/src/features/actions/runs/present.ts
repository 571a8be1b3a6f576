import { isoTime } from '../../../kernel/clock.ts';
import { JsonText } from '../../../kernel/json-text.ts';
import { presentAction, presentWithout } from '../sets/index.ts';
import type { RanAction } from './run.ts';
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
  return { ...presentAction(action), state, details, changes: changes.map((change) => ({ ...change })) };
}
