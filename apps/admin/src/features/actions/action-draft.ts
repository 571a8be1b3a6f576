import { bodyOf, type ConstraintDraft, draftOf } from '../constraints/draft.ts';
import { takesList } from '../constraints/operators.ts';
import type { ActionDefinitions, ActionSet, ActionSetBody, FilterBody } from './action-queries.ts';

/** One action while it is edited. */
export interface ActionDraft {
  readonly key: string;
  readonly action: string;
  readonly params: Readonly<Record<string, string>>;
}

/** A set of actions while it is edited. */
export interface ActionSetDraft extends Record<string, unknown> {
  readonly name: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly shadow: boolean;
  readonly sourceId: string;
  readonly actorId: string;
  readonly filters: readonly ConstraintDraft[];
  readonly actions: readonly ActionDraft[];
}

let made = 0;

/** What a person begins with who adds an action. */
export function newAction(): ActionDraft {
  return { key: `action-${++made}`, action: '', params: {} };
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
      filters: [],
      actions: [newAction()],
    };
  return {
    name: set.name,
    description: set.description ?? '',
    enabled: set.enabled,
    shadow: set.shadow,
    sourceId: String(set.match.sourceId),
    actorId: String(set.actorId),
    filters: Object.entries(set.match.payload).map(([contextName, filter]) =>
      draftOf({ ...withDefaults(filter), contextName }),
    ),
    actions: set.actions
      .toSorted((one, other) => one.sortOrder - other.sortOrder)
      .map(({ action, executionParams }) => ({
        ...newAction(),
        action,
        params: Object.fromEntries(
          Object.entries(executionParams).map(([name, value]) => [
            name,
            typeof value === 'string' ? value : JSON.stringify(value),
          ]),
        ),
      })),
  };
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

/** What is sent of a draft; what the form does not show stays as the set has it. */
export function bodyOfSet(
  draft: ActionSetDraft,
  projectId: string,
  definitions: ActionDefinitions,
  set: ActionSet | undefined,
): ActionSetBody {
  const filters = draft.filters.filter(({ contextName }) => contextName.trim() !== '');
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
      ...(set === undefined ? {} : { forEach: set.match.forEach }),
    },
    actions: draft.actions.map(({ action, params }, index) => ({
      action,
      sortOrder: index + 1,
      executionParams: paramsOf(params, definitions[action]?.parameters ?? [], projectId),
    })),
    ...(set === undefined ? {} : { allow: set.allow, guards: set.guards as ActionSetBody['guards'] }),
  };
}

function paramsOf(
  params: ActionDraft['params'],
  parameters: ActionDefinitions[string]['parameters'],
  projectId: string,
): Record<string, string | number> {
  return Object.fromEntries(
    parameters.flatMap(({ name, type }) => {
      if (name === 'project') return [[name, projectId]];
      const value = params[name] ?? '';
      if (value === '') return [];
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
  for (const [index, { action, params }] of draft.actions.entries()) {
    if (action === '') problems[`actions.${index}.action`] = 'Choose an action.';
    for (const { name, optional } of definitions[action]?.parameters ?? [])
      if (!optional && name !== 'project' && (params[name] ?? '') === '')
        problems[`actions.${index}.executionParams.${name}`] = 'This is needed.';
  }
  return problems;
}
