import type { ActionDefinitions, ActionSetBody, StoredActionSet } from '../../entities/actions/action-queries.ts';
import type { ConstraintDraft } from '../../entities/constraints/draft.ts';
import { bodyOfGuards, draftOfGuards, type GuardsDraft, guardProblems } from '../../entities/hours/guards.ts';
import { bodyOfFilters, draftsOf, filterPathProblem } from '../../entities/payload-filters/filter-draft.ts';

/** The draft of an action. */
export interface ActionDraft {
  readonly key: string;
  /** The id of the saved action. The server keeps the secrets of actions with an id. */
  readonly id?: number;
  readonly action: string;
  readonly params: Readonly<Record<string, string>>;
  /** The saved parameters. Values that are not text are sent back unless they were edited. */
  readonly saved: Readonly<Record<string, unknown>>;
}

/** The draft of the allow list. */
export interface AllowDraft {
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  readonly environments: readonly string[];
}

/** The draft of an action set. */
export interface ActionSetDraft extends Record<string, unknown> {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly shadow: boolean;
  readonly sourceId: string;
  /** The trigger of the set: a signal, or the silence of the endpoint. */
  readonly trigger: StoredActionSet['match']['trigger'];
  readonly actorId: string;
  /** The path of the array whose elements the set runs for; empty for the whole payload. */
  readonly forEach: string;
  readonly filters: readonly ConstraintDraft[];
  /** The filters of the signals that release the flags that the set holds; null when no signal releases them. */
  readonly releaseFilters: readonly ConstraintDraft[] | null;
  readonly allow: AllowDraft;
  readonly guards: GuardsDraft;
  readonly actions: readonly ActionDraft[];
  /** Whether the user has confirmed that flags stay held until a person releases them. Not saved. */
  readonly staysHeld: boolean;
}

let made = 0;

/** Returns the draft of a new action. */
export function newAction(): ActionDraft {
  return { key: `action-${++made}`, action: '', params: {}, saved: {} };
}

/** Returns the draft of an action set, or of a new one. */
export function draftOfSet(set: StoredActionSet | undefined): ActionSetDraft {
  if (set === undefined)
    return {
      name: '',
      description: '',
      enabled: true,
      shadow: false,
      sourceId: '',
      trigger: 'signal',
      actorId: '',
      forEach: '',
      filters: [],
      releaseFilters: null,
      allow: { flags: [], tags: [], environments: [] },
      guards: draftOfGuards(undefined),
      actions: [newAction()],
      staysHeld: false,
    };
  const releaseFilters = set.match.release && draftsOf(set.match.release);
  const actions = set.actions
    .toSorted((a, b) => a.sortOrder - b.sortOrder)
    .map(({ id, action, executionParams }) => ({
      ...newAction(),
      id,
      action,
      params: Object.fromEntries(Object.entries(executionParams).map(([name, value]) => [name, asText(value)])),
      saved: executionParams,
    }));
  return {
    name: set.name,
    description: set.description ?? '',
    enabled: set.enabled,
    shadow: set.shadow,
    sourceId: String(set.match.sourceId),
    trigger: set.match.trigger,
    actorId: String(set.actorId),
    forEach: set.match.forEach ?? '',
    allow: set.allow ?? { flags: [], tags: [], environments: [] },
    guards: draftOfGuards(set.guards),
    filters: draftsOf(set.match.payload),
    releaseFilters,
    actions,
    // A saved set that has no end needs no new confirmation; one that loses its end does.
    staysHeld: needsEnd({ actions, releaseFilters }),
  };
}

/**
 * Returns the draft of a set that releases the flags that `set` holds. The draft is in shadow mode if `set` is. The
 * user has to check its filters, which are derived from those of `set`.
 */
export function draftOfRelease(set: StoredActionSet, definitions: ActionDefinitions): ActionSetDraft {
  const draft = draftOfSet(set);
  const taken = new Set(definitions[releases]?.parameters.map(({ name }) => name));
  return {
    ...draft,
    name: `Release: ${draft.name}`.slice(0, 255),
    description: '',
    filters: resolvedFilters(draft.filters),
    releaseFilters: null,
    staysHeld: false,
    actions: draft.actions
      .filter(({ action }) => action === holds)
      .map((action) => ({
        ...newAction(),
        action: releases,
        params: Object.fromEntries(Object.entries(action.params).filter(([name]) => taken.has(name))),
      })),
  };
}

/** Returns the draft of a set that holds a flag off while an endpoint is silent. */
export function draftOfSilence(sourceId: number): ActionSetDraft {
  const draft = { ...draftOfSet(undefined), sourceId: String(sourceId) };
  const actions = [{ ...newAction(), action: holds, params: { effect: 'off', reason: silenceReason } }];
  return { ...draft, ...withTrigger({ ...draft, actions }, 'silence'), actions };
}

/** Returns the draft of a set that halts the release plan of a flag: the user chooses the sender and the alert. */
export function draftOfWatch(featureName: string, environment: string): ActionSetDraft {
  const params = { featureName, environment, effect: 'milestone' };
  return { ...draftOfSet(undefined), actions: [{ ...newAction(), action: holds, params }] };
}

/** The reason of a hold while an endpoint is silent. */
export const silenceReason = '{{normalized.title}}';

/**
 * Returns the fields of a draft that change with its trigger. The filters are cleared, because filters for signals do
 * not fit a silence, and the reverse. Flags that are held during a silence are released when the silence ends.
 */
export function withTrigger({ trigger: before }: ActionSetDraft, trigger: ActionSetDraft['trigger']) {
  if (trigger === before) return { trigger };
  return { trigger, forEach: '', filters: [], releaseFilters: trigger === 'silence' ? [] : null };
}

/**
 * Returns filters for the end of the alerts that `filters` match: the value `firing` becomes `resolved`. The user has
 * to check them.
 */
export function resolvedFilters(filters: readonly ConstraintDraft[]): readonly ConstraintDraft[] {
  return filters.map((filter) => ({
    ...filter,
    values: filter.values.map((value) => (value === 'firing' ? 'resolved' : value)),
  }));
}

/** The action kinds that belong together: one holds flags, the other releases them. */
const [holds, releases] = ['HOLD_FEATURE', 'RELEASE_FEATURE'];

/** Returns whether a set has an action that holds a flag. */
export function holdsFlags({ actions }: { readonly actions: readonly { readonly action: string }[] }): boolean {
  return actions.some(({ action }) => action === holds);
}

/** Returns whether a set holds flags that nothing but a person or another set releases. */
export function needsEnd({ actions, releaseFilters }: Pick<ActionSetDraft, 'actions' | 'releaseFilters'>): boolean {
  return releaseFilters === null && actions.some(({ action, params }) => action === holds && !isFilled(params.minutes));
}

/** Returns the minutes of the shortest hold; undefined when none has minutes of its own. */
export function shortestHold({ actions }: Pick<ActionSetDraft, 'actions'>): number | undefined {
  const minutes = actions
    .filter(({ action, params }) => action === holds && isFilled(params.minutes))
    .map(({ params }) => Number(params.minutes))
    .filter((value) => value > 0);
  return minutes.length === 0 ? undefined : Math.min(...minutes);
}

/** Returns whether `minutes` end a hold; empty and 0 never do. */
function isFilled(minutes: string | undefined): boolean {
  return minutes !== undefined && minutes.trim() !== '' && minutes.trim() !== '0';
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns the request body of a draft. */
export function bodyOfSet(draft: ActionSetDraft, projectId: string, definitions: ActionDefinitions): ActionSetBody {
  const { flags, tags, environments } = draft.allow;
  const forEach = draft.forEach.trim();
  return {
    name: draft.name,
    description: draft.description,
    enabled: draft.enabled,
    shadow: draft.shadow,
    actorId: Number(draft.actorId),
    match: {
      source: 'signal-endpoint',
      sourceId: Number(draft.sourceId),
      trigger: draft.trigger,
      payload: bodyOfFilters(draft.filters),
      release: draft.releaseFilters === null || !holdsFlags(draft) ? null : bodyOfFilters(draft.releaseFilters),
      forEach: forEach === '' ? null : forEach,
    },
    actions: draft.actions.map((action, index) => ({
      ...(action.id === undefined ? {} : { id: action.id }),
      action: action.action,
      sortOrder: index + 1,
      executionParams: paramsOf(action, definitions[action.action]?.parameters ?? [], projectId),
    })),
    allow:
      flags.length + tags.length + environments.length === 0
        ? null
        : { flags: [...flags], tags: [...tags], environments: [...environments] },
    guards: bodyOfGuards(draft.guards),
  };
}

type Parameter = NonNullable<ActionSetBody['actions'][number]['executionParams']>[string];

function paramsOf(
  { params, saved }: ActionDraft,
  parameters: ActionDefinitions[string]['parameters'],
  projectId: string,
): Readonly<Record<string, Parameter>> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }): (readonly [string, Parameter])[] => {
      if (name === 'project') return [[name, projectId]];
      const value = params[name] ?? '';
      if (value === '') return [];
      const had = saved[name];
      // The form holds saved lists and objects as JSON text. Unless the user edited the text, sends them as they were.
      if (typeof had === 'object' && had !== null && asText(had) === value) return [[name, had as Parameter]];
      return [[name, type === 'number' && Number.isFinite(Number(value)) ? Number(value) : value]];
    }),
  );
}

/**
 * Returns the errors of a draft, by field: missing values, filters without a path or with the same one, and holds
 * without an end.
 */
export function draftProblems(draft: ActionSetDraft, definitions: ActionDefinitions): Record<string, string> {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === '') problems.name = 'Enter a name.';
  if (draft.sourceId === '') problems.sourceId = 'Select a source.';
  if (draft.actorId === '') problems.actorId = 'Select a service account.';
  if (draft.actions.length === 0) problems.actions = 'Add an action.';
  const [ofFilters, ofRelease] = [draft.filters, draft.releaseFilters ?? []].map(filterPathProblem);
  if (ofFilters !== undefined) problems.filters = ofFilters;
  if (ofRelease !== undefined) problems.releaseFilters = ofRelease;
  if (
    draft.trigger === 'signal' &&
    draft.releaseFilters !== null &&
    holdsFlags(draft) &&
    Object.keys(bodyOfFilters(draft.releaseFilters)).length === 0
  )
    problems.releaseFilters = 'Add a filter: without one, every other signal would release.';
  if (needsEnd(draft) && !draft.staysHeld)
    problems.staysHeld = 'Set minutes, let a signal release the flags, or confirm that they stay held.';
  Object.assign(problems, guardProblems(draft.guards));
  for (const [index, { action, params }] of draft.actions.entries()) {
    if (action === '') problems[`actions.${index}.action`] = 'Select an action.';
    for (const { name, optional } of definitions[action]?.parameters ?? [])
      if (!optional && name !== 'project' && (params[name] ?? '') === '')
        problems[`actions.${index}.executionParams.${name}`] = 'Required.';
  }
  return problems;
}
