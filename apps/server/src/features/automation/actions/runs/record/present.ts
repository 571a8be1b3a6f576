import { type EventType, eventLabels, type runTriggers } from '@yardarm/contract';
import { isSilence, presentDigest, senderTokenId } from '#features/signals/signals/index.ts';
import { isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import { JsonText } from '#kernel/json-text.ts';
import type { Call } from '../../calls/index.ts';
import { presentAction, presentSetWithoutActions } from '../../sets/index.ts';
import type { Change, RanAction } from './outcome.ts';
import type { Run, RunWithSignal } from './store.ts';

export function presentRun(run: RunWithSignal) {
  const { set, signal, digest } = run;
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
    trigger: triggerOf(run),
    takesBackRunId: run.takesBackRunId,
    decideBy: isoTimeOrNull(run.decideBy),
    signal: {
      id: run.signalId,
      source: 'signal-endpoint' as const,
      sourceId: signal?.endpointId ?? digest?.endpointId ?? set.endpointId,
      createdAt: isoTime(signal?.createdAt ?? digest?.createdAt ?? run.createdAt),
      createdBySourceTokenId: senderTokenId(run.tokenId),
      normalized: signal === undefined || signal.normalized === null ? null : JSON.parse(signal.normalized),
      payload: new JsonText(signal?.payload ?? 'null'),
      deleted: digest === undefined ? null : presentDigest(digest),
    },
    actionSet: { ...presentSetWithoutActions(set), actions },
  };
}

/** Presents an action with its result and the state of its call. A dry run has no `queuedCall`. */
export function presentRanAction({ state, details, changes, call, ...action }: RanAction, queuedCall?: Call) {
  return {
    ...presentAction(action),
    state: queuedCall === undefined ? state : stateOf[queuedCall.state],
    details: call === null || call === undefined ? details : callDetails(call, queuedCall),
    changes: changes.map(presentChange),
    // Runs that were stored before calls existed have no call.
    call: call === null || call === undefined ? null : presentCall(call, queuedCall),
  };
}

function presentCall({ method, url, body }: NonNullable<RanAction['call']>, queuedCall: Call | undefined) {
  return {
    method,
    url,
    body,
    state: queuedCall?.state ?? ('not sent' as const),
    attempts: queuedCall?.attempts ?? 0,
    status: queuedCall?.status ?? null,
    details: queuedCall?.details ?? null,
    nextAttemptAt: isoTimeOrNull(queuedCall?.nextAttemptAt ?? null),
    settledAt: isoTimeOrNull(queuedCall?.settledAt ?? null),
  };
}

/** The state of an action that makes a call is the state of the call. */
const stateOf = { queued: 'started', delivered: 'success', failed: 'failed' } as const;

function callDetails({ method, url }: NonNullable<RanAction['call']>, queuedCall: Call | undefined): string {
  const request = `${method} ${url}`;
  if (queuedCall === undefined) return `${request} would be called.`;
  const { state, attempts, details } = queuedCall;
  if (state === 'delivered') return `${request} was called. ${details}`;
  if (state === 'failed')
    return `${request} failed after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}. ${details}`;
  return details === null ? `${request} is queued.` : `${request} will be retried. ${details}`;
}

/** Presents a change with the label of its event type. */
export function presentChange({ type, featureName, environment }: Change) {
  return { type, label: eventLabels[type as EventType] ?? type, featureName, environment };
}

/** Returns what triggered a run. */
export function triggerOf({ cause, tokenId }: Pick<Run, 'cause' | 'tokenId'>): (typeof runTriggers)[number] {
  return cause === 'signal' && isSilence({ tokenId }) ? 'silence' : cause;
}
