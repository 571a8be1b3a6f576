import { recordedParameters } from '../kinds/index.ts';
import type { Filters } from '../matching/index.ts';

/** One thing to do, with parameters that may be templates over the payload. */
export interface Action {
  readonly id: number;
  readonly action: string;
  readonly sortOrder: number;
  readonly executionParams: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly createdByUserId: number;
}

/** What values from a payload may name; `*` among the flags is any flag of the project. */
export interface Allowed {
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  readonly environments: readonly string[];
}

/** What keeps a set from doing too much. Each is off while it is absent. */
export interface GuardRules {
  readonly cooldownSeconds?: number | undefined;
  readonly quorum?: { readonly signals: number; readonly tokens: number; readonly withinSeconds: number } | undefined;
  readonly flagsPerHour?: number | undefined;
  readonly flapping?: { readonly changes: number; readonly withinSeconds: number } | undefined;
}

/**
 * When signals of an endpoint pass the filters, these actions are done by that service account (docs/spec#action-sets).
 */
export interface ActionSet {
  readonly id: number;
  readonly project: string;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly actorId: number;
  readonly endpointId: number;
  readonly filters: Filters;
  /** Path of the array for whose elements it runs; null for the payload as a whole. */
  readonly forEach: string | null;
  readonly allow: Allowed | null;
  readonly guards: GuardRules;
  /** Runs are recorded and change nothing. */
  readonly shadow: boolean;
  /** Only signals after this one set it off. */
  readonly sinceSignalId: number;
  readonly createdAt: number;
  readonly createdByUserId: number;
  /** In the order in which they run. */
  readonly actions: readonly Action[];
}

/** What of a set and its actions the event log keeps. */
export type SetAsRecorded = Omit<ActionSet, 'actions'> & {
  readonly actions: readonly Pick<Action, 'action' | 'sortOrder' | 'executionParams'>[];
};

/** A set as the event log keeps it, without anything secret. */
export function setEventData(set: SetAsRecorded): Record<string, unknown> {
  const { id, project, name, description, enabled, actorId, allow, guards, shadow } = set;
  return {
    id,
    project,
    name,
    description,
    enabled,
    actorId,
    match: matchOf(set),
    actions: set.actions.map(({ action, sortOrder, executionParams }) => ({
      action,
      sortOrder,
      executionParams: recordedParameters(action, executionParams),
    })),
    allow,
    guards,
    shadow,
  };
}

/** What sets it off, as the API says it. */
export function matchOf({ endpointId, filters, forEach }: Pick<ActionSet, 'endpointId' | 'filters' | 'forEach'>) {
  return { source: 'signal-endpoint' as const, sourceId: endpointId, payload: filters, forEach };
}
