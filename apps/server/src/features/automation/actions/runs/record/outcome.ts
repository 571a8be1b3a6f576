import type { NewEvent } from '#storage/tx.ts';
import type { PlannedCall } from '../../kinds/index.ts';
import type { Action, ActionSet } from '../../sets/index.ts';

/** The state of a run. A `waiting` run was stopped: it is tried again later, or waits for a person. */
export type RunState = 'started' | 'waiting' | 'success' | 'failed' | 'skipped';

/** A change that an action made, or would make in a dry run. */
export type Change = Pick<NewEvent, 'type'> & {
  readonly featureName: string | null;
  readonly environment: string | null;
};

/** An action with its result. */
export interface RanAction extends Action {
  /** `not started` also means that the action had nothing to do. */
  readonly state: 'not started' | 'started' | 'success' | 'failed';
  /** The reason of a failure, or other details. */
  readonly details: string | null;
  readonly changes: readonly Change[];
  /** The request of its call, without headers, which may be secret. */
  readonly call: Omit<PlannedCall, 'headers'> | null;
}

/** The outcome of a run. */
export interface Outcome {
  readonly state: RunState;
  /** Why the run waits, was skipped or failed (the details of the failed action); null for other runs. */
  readonly reason: string | null;
  /** True when a guard or an override stopped the run. */
  readonly guarded?: boolean;
  /** True when the run waits because its service account was deleted or lacks a permission. */
  readonly blocked?: true;
  /** The earliest time at which a waiting run continues, in milliseconds UTC. */
  readonly waitsUntil?: number;
  /** The condition under which a waiting run would hold flags. */
  readonly waitsFor?: string;
  /** The time until which a run waits for the decision of a person, in milliseconds UTC. */
  readonly decideBy?: number;
  readonly actions: readonly RanAction[];
}

/** Returns the outcome of a run that started no action. */
export function notRun(set: Pick<ActionSet, 'actions'>, state: 'failed' | 'skipped', reason: string): Outcome {
  return { state, reason, actions: notStartedActions(set) };
}

/** Returns the actions of a set as not started. */
export function notStartedActions(set: Pick<ActionSet, 'actions'>): RanAction[] {
  return set.actions.map(notStarted);
}

/** Returns an action as not started. */
export function notStarted(action: Action): RanAction {
  return { ...action, state: 'not started', details: null, changes: [], call: null };
}

/** Converts an event to a change. */
export function toChange({ type, featureName, environment }: NewEvent): Change {
  return { type, featureName: featureName ?? null, environment: environment ?? null };
}
