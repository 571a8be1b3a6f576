import { bodyOf, type ConstraintDraft, draftOf } from '../constraints/draft.ts';
import { takesList } from '../constraints/operators.ts';
import type { ActionDefinitions, ActionSet, ActionSetBody, FilterBody } from './action-queries.ts';
import { bodyOfGuards, draftOfGuards, type GuardsDraft, guardProblems } from './guards.ts';

/** One action while it is edited. */
export interface ActionDraft {
  readonly key: string;
  /** Of the action that is saved; by it the server knows whose secrets stay. */
  readonly id?: number;
  readonly action: string;
  readonly params: Readonly<Record<string, string>>;
  /** What the server has; what is not text there is sent back as it is, unless it is changed. */
  readonly saved: Readonly<Record<string, unknown>>;
}

/** What the payload may name while it is edited. */
export interface AllowDraft {
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  readonly environments: readonly string[];
}

/** A set of actions while it is edited. */
export interface ActionSetDraft extends Record<string, unknown> {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly shadow: boolean;
  readonly sourceId: string;
  readonly actorId: string;
  /** Path of the array whose elements it runs for; empty for the payload as a whole. */
  readonly forEach: string;
  readonly filters: readonly ConstraintDraft[];
  readonly allow: AllowDraft;
  readonly guards: GuardsDraft;
  readonly actions: readonly ActionDraft[];
}

let made = 0;

/** What a person begins with who adds an action. */
export function newAction(): ActionDraft {
  return { key: `action-${++made}`, action: '', params: {}, saved: {} };
}

/** A set to be edited, or the beginnings of a new one. */
export function draftOfSet(set: ActionSet | undefined): ActionSetDraft {
  if (set === undefined)
    return {
      name: '',
      description: '',
      enabled: true,
      shadow: false,
      sourceId: '',
      actorId: '',
      forEach: '',
      filters: [],
      allow: { flags: [], tags: [], environments: [] },
      guards: draftOfGuards(undefined),
      actions: [newAction()],
    };
  return {
    name: set.name,
    description: set.description ?? '',
    enabled: set.enabled,
    shadow: set.shadow,
    sourceId: String(set.match.sourceId),
    actorId: String(set.actorId),
    forEach: set.match.forEach ?? '',
    allow: set.allow ?? { flags: [], tags: [], environments: [] },
    guards: draftOfGuards(set.guards),
    filters: Object.entries(set.match.payload).map(([contextName, filter]) =>
      draftOf({ ...withDefaults(filter), contextName }),
    ),
    actions: set.actions
      .toSorted((one, other) => one.sortOrder - other.sortOrder)
      .map(({ id, action, executionParams }) => ({
        ...newAction(),
        id,
        action,
        params: Object.fromEntries(Object.entries(executionParams).map(([name, value]) => [name, asText(value)])),
        saved: executionParams,
      })),
  };
}

/** The beginnings of the set that releases what another one holds, in shadow mode if that one is; its filters have to be looked at. */
export function draftOfRelease(set: ActionSet, definitions: ActionDefinitions): ActionSetDraft {
  const draft = draftOfSet(set);
  const taken = new Set(definitions[releases]?.parameters.map(({ name }) => name));
  return {
    ...draft,
    name: `Release: ${draft.name}`.slice(0, 255),
    description: '',
    filters: draft.filters.map((filter) => ({
      ...filter,
      values: filter.values.map((value) => (value === 'firing' ? 'resolved' : value)),
    })),
    actions: draft.actions
      .filter(({ action }) => action === holds)
      .map((one) => ({
        ...newAction(),
        action: releases,
        params: Object.fromEntries(Object.entries(one.params).filter(([name]) => taken.has(name))),
      })),
  };
}

/** The actions that belong together: what the one holds the other lets go. */
const [holds, releases] = ['HOLD_FEATURE', 'RELEASE_FEATURE'];

/** Whether a set holds flags, which another one has to release. */
export function holdsFlags({ actions }: Pick<ActionSet, 'actions'>): boolean {
  return actions.some(({ action }) => action === holds);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function withDefaults({ operator, ...rest }: ActionSet['match']['payload'][string]) {
  const { values = [], value, inverted = false, caseInsensitive = false } = rest;
  return { operator, values, value, inverted, caseInsensitive };
}

function filterOf(draft: ConstraintDraft): FilterBody {
  const { values, value, operator, inverted, caseInsensitive } = bodyOf(draft);
  return {
    // The choices of the form are those that the contract takes.
    operator: operator as FilterBody['operator'],
    ...(takesList(operator) ? { values: [...(values ?? [])] } : { value: value ?? '' }),
    ...(inverted === true ? { inverted } : {}),
    ...(caseInsensitive === true ? { caseInsensitive } : {}),
  };
}

/** What is sent of a draft. */
export function bodyOfSet(draft: ActionSetDraft, projectId: string, definitions: ActionDefinitions): ActionSetBody {
  const filters = draft.filters.filter(({ contextName }) => contextName.trim() !== '');
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
      payload: Object.fromEntries(filters.map((filter) => [filter.contextName.trim(), filterOf(filter)])),
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
      // A list or an object of a kind that this page knows nothing of stays one.
      if (typeof had === 'object' && had !== null && asText(had) === value) return [[name, had as Parameter]];
      return [[name, type === 'number' && Number.isFinite(Number(value)) ? Number(value) : value]];
    }),
  );
}

/** What is missing from a draft, by its field. */
export function draftProblems(draft: ActionSetDraft, definitions: ActionDefinitions): Record<string, string> {
  const problems: Record<string, string> = {};
  if (draft.name.trim() === '') problems.name = 'Give the actions a name.';
  if (draft.sourceId === '') problems.sourceId = 'Choose where the signals come from.';
  if (draft.actorId === '') problems.actorId = 'Choose who runs the actions.';
  if (draft.actions.length === 0) problems.actions = 'Add an action.';
  const paths = draft.filters.map(({ contextName }) => contextName.trim()).filter((path) => path !== '');
  if (new Set(paths).size < paths.length) problems.filters = 'A parameter can have one filter.';
  Object.assign(problems, guardProblems(draft.guards));
  for (const [index, { action, params }] of draft.actions.entries()) {
    if (action === '') problems[`actions.${index}.action`] = 'Choose an action.';
    for (const { name, optional } of definitions[action]?.parameters ?? [])
      if (!optional && name !== 'project' && (params[name] ?? '') === '')
        problems[`actions.${index}.executionParams.${name}`] = 'This is needed.';
  }
  return problems;
}
