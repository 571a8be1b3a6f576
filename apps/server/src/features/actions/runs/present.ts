import { type EventType, eventLabels } from '@yardarm/contract';
import { isoTime, isoTimeOrNull } from '../../../kernel/clock.ts';
import { JsonText } from '../../../kernel/json-text.ts';
import { senderTokenId } from '../../signals/index.ts';
import type { Call } from '../calls/index.ts';
import { presentAction, presentWithout } from '../sets/index.ts';
import type { Change, RanAction } from './run.ts';
import type { RunWithSignal } from './store.ts';

export function presentRun(run: RunWithSignal) {
  const { set, signal } = run;
  const calls = new Map(run.calls.map((call) => [call.actionId, call]));
  const actions = set.actions.map((action) => presentRanAction(action, calls.get(action.id)));
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
      createdBySourceTokenId: senderTokenId(run.tokenId),
      payload: new JsonText(signal?.payload ?? 'null'),
    },
    actionSet: { ...presentWithout(set), actions },
  };
}

/** An action with what became of it, and of what it asked to be called; without `made` nothing is called. */
export function presentRanAction({ state, details, changes, call, ...action }: RanAction, made?: Call) {
  return {
    ...presentAction(action),
    state: made === undefined ? state : stateOf[made.state],
    details: call === null || call === undefined ? details : detailsOf(call, made),
    changes: changes.map(presentChange),
    // Runs of the time before there were calls have none.
    call: call === null || call === undefined ? null : presentCall(call, made),
  };
}

function presentCall({ method, url, body }: NonNullable<RanAction['call']>, made: Call | undefined) {
  return {
    method,
    url,
    body,
    state: made?.state ?? ('not sent' as const),
    attempts: made?.attempts ?? 0,
    status: made?.status ?? null,
    details: made?.details ?? null,
    nextAttemptAt: isoTimeOrNull(made?.nextAttemptAt ?? null),
    settledAt: isoTimeOrNull(made?.settledAt ?? null),
  };
}

/** What calls is done when it has been called. */
const stateOf = { queued: 'started', delivered: 'success', failed: 'failed' } as const;

function detailsOf({ method, url }: NonNullable<RanAction['call']>, made: Call | undefined): string {
  const what = `${method} ${url}`;
  if (made === undefined) return `${what} would be called.`;
  const { state, attempts, details } = made;
  if (state === 'delivered') return `${what} was called. ${details}`;
  if (state === 'failed')
    return `${what} was called in vain, ${attempts === 1 ? 'once' : `${attempts} times`}. ${details}`;
  return details === null ? `${what} is called.` : `${what} is called again. ${details}`;
}

/** Something that was changed, or would be, with what people call it. */
export function presentChange({ type, featureName, environment }: Change) {
  return { type, label: eventLabels[type as EventType] ?? type, featureName, environment };
}
