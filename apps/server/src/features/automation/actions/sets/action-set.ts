import type { setTriggers } from '@yardarm/contract';
import type { Hours } from '#features/platform/hours/index.ts';
import type { Filters } from '#features/platform/payload-filters/index.ts';
import { recordedParameters } from '../kinds/index.ts';

/** An action of a set. Its parameters may be templates over the payload. */
export interface Action {
  readonly id: number;
  readonly action: string;
  readonly sortOrder: number;
  readonly executionParams: Readonly<Record<string, unknown>>;
  readonly createdAt: number;
  readonly createdByUserId: number;
}

/** The trigger of a set. */
export type SetTrigger = (typeof setTriggers)[number];

/** The names that values from a payload may refer to; the flag `*` allows all flags of the project. */
export interface Allowed {
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  readonly environments: readonly string[];
}

/** The guards of a set, which limit how often it runs. An absent guard is off. */
export interface GuardRules {
  readonly cooldownSeconds?: number | undefined;
  readonly quorum?: { readonly signals: number; readonly tokens: number; readonly withinSeconds: number } | undefined;
  readonly flagsPerHour?: number | undefined;
  readonly flapping?: { readonly changes: number; readonly withinSeconds: number } | undefined;
  readonly hours?: Hours | undefined;
}

/**
 * An action set: when a signal of the endpoint, or its silence, passes the filters, the service account runs the
 * actions (docs/spec#action-sets).
 */
export interface ActionSet {
  readonly id: number;
  readonly project: string;
  readonly name: string;
  readonly description: string | null;
  readonly enabled: boolean;
  readonly actorId: number;
  readonly endpointId: number;
  /** Whether signals of senders trigger the set, or the silence of the endpoint. */
  readonly trigger: SetTrigger;
  readonly filters: Filters;
  /** The filters of signals that release what the set holds; null when other sets or people release it. */
  readonly releaseFilters: Filters | null;
  /** The path of the array whose elements the set runs for; null for the whole payload. */
  readonly forEach: string | null;
  readonly allow: Allowed | null;
  readonly guards: GuardRules;
  /** Records runs without changing anything. */
  readonly shadow: boolean;
  /** The set runs only on signals after this one. */
  readonly sinceSignalId: number;
  readonly createdAt: number;
  readonly createdByUserId: number;
  /** In execution order. */
  readonly actions: readonly Action[];
}

/** The fields of a set that decide which signals release what. */
export type ReleaseRule = Pick<
  ActionSet,
  'endpointId' | 'trigger' | 'filters' | 'releaseFilters' | 'forEach' | 'actions'
>;

/** How an earlier version of a set releases what it holds. Its actions are those that hold flags. */
export interface FormerEnd extends ReleaseRule {
  /** The last run of that version. Later runs hold by later versions. */
  readonly upToRunId: number;
}

/** A set that waits for signals, with the ends of its earlier versions, which still hold flags. */
export interface ListeningSet extends ActionSet {
  readonly formerEnds: readonly FormerEnd[];
}

/** The fields of a set that events record. */
export type RecordedSet = Omit<ActionSet, 'actions'> & {
  readonly actions: readonly Pick<Action, 'action' | 'sortOrder' | 'executionParams'>[];
};

/** Returns the fields of a set that events record, without secrets. */
export function setEventData(set: RecordedSet): Record<string, unknown> {
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

/** Returns the `match` field of the API. */
export function matchOf({
  endpointId,
  trigger,
  filters,
  releaseFilters,
  forEach,
}: Pick<ActionSet, 'endpointId' | 'trigger' | 'filters' | 'releaseFilters' | 'forEach'>) {
  return {
    source: 'signal-endpoint' as const,
    sourceId: endpointId,
    trigger,
    payload: filters,
    release: releaseFilters,
    forEach,
  };
}
