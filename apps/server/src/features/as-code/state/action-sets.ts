import type { State } from '@yardarm/contract';
import {
  type ActionSet,
  checkSet,
  createSet,
  previewSet,
  type SetInput,
  setEnabled,
  setsOfProjects,
  shownParameters,
  updateSet,
} from '#features/automation/actions/index.ts';
import type { FlagPlan, ProjectWithEnvironments } from '#features/flags/definitions/index.ts';
import { listAccounts } from '#features/people/access/index.ts';
import { listEndpoints } from '#features/signals/signals/index.ts';
import { Problem } from '#kernel/errors.ts';
import { limitFault } from '#kernel/limits.ts';
import type { Db } from '#storage/tx.ts';
import { fieldChanges, type StateChange } from './changes.ts';
import type { DesiredActionSet } from './desired-state.ts';
import type { Operation } from './operations.ts';
import type { PlanOptions, StateFault } from './options.ts';

/** The projects and flags as they are when action sets are written. */
export interface PlannedEntities {
  readonly projects: ReadonlyMap<string, ProjectWithEnvironments>;
  readonly flags: readonly FlagPlan[];
  readonly archived: ReadonlyMap<string, readonly string[]>;
}

type StateActionSet = NonNullable<NonNullable<State['projects']>[string]['actions']>[string];

/** The names of the endpoints and service accounts that action sets refer to by id. */
export interface ActionNames {
  readonly endpoints: ReadonlyMap<number, string>;
  readonly accounts: ReadonlyMap<number, string>;
}

/** Loads the names of signal endpoints and service accounts, with two statements. */
export async function loadActionNames(db: Db): Promise<ActionNames> {
  const [endpoints, accounts] = await Promise.all([listEndpoints(db), listAccounts(db, 'service-account')]);
  return {
    endpoints: new Map(endpoints.map(({ id, name }) => [id, name])),
    accounts: new Map(accounts.map(({ id, username }) => [id, username ?? ''])),
  };
}

/**
 * Presents a set for a state file, without secrets. Deleted endpoints and accounts are left out; applying the file
 * keeps them as they are.
 */
export function stateOfSet(set: PresentableSet, { endpoints, accounts }: ActionNames): StateActionSet {
  const [endpoint, serviceAccount] = [endpoints.get(set.endpointId), accounts.get(set.actorId)];
  return {
    ...(set.description === null ? {} : { description: set.description }),
    enabled: set.enabled,
    ...(set.shadow ? { shadow: true } : {}),
    ...(serviceAccount === undefined ? {} : { serviceAccount }),
    when: {
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(set.trigger === 'signal' ? {} : { trigger: set.trigger }),
      ...(set.forEach === null ? {} : { forEach: set.forEach }),
      filters: stateOfFilters(set.filters),
      ...(set.releaseFilters === null ? {} : { release: stateOfFilters(set.releaseFilters) }),
    },
    do: set.actions.map(({ action, executionParams }) => {
      const { project: _, ...parameters } = shownParameters(action, executionParams);
      return { action, parameters: parameters as Json };
    }),
    ...(set.allow === null
      ? {}
      : {
          allow: {
            flags: [...set.allow.flags],
            tags: [...set.allow.tags],
            environments: [...set.allow.environments],
          },
        }),
    ...(Object.keys(set.guards).length === 0
      ? {}
      : { guards: { ...set.guards } as NonNullable<StateActionSet['guards']> }),
  };
}

function stateOfFilters(filters: ActionSet['filters']) {
  return Object.fromEntries(
    Object.entries(filters).map(([path, { values, ...filter }]) => [
      path,
      { ...filter, ...(values === undefined ? {} : { values: [...values] }) },
    ]),
  );
}

type Json = NonNullable<NonNullable<StateActionSet['do']>[number]['parameters']>;
/** The fields of a set that a state file contains. */
type PresentableSet = Pick<
  ActionSet,
  | 'description'
  | 'enabled'
  | 'shadow'
  | 'actorId'
  | 'endpointId'
  | 'trigger'
  | 'forEach'
  | 'filters'
  | 'releaseFilters'
  | 'allow'
  | 'guards'
> & { readonly actions: readonly Pick<ActionSet['actions'][number], 'action' | 'executionParams'>[] };

/**
 * Compares the desired action sets with the existing ones, in a constant number of statements plus the checks of each
 * changed set.
 */
export async function compareActionSets(
  db: Db,
  desired: readonly DesiredActionSet[],
  options: PlanOptions,
  planned: PlannedEntities,
  faults: StateFault[],
): Promise<Operation[]> {
  const projects = [...new Set([...desired.map(({ project }) => project), ...options.pruneActions])];
  if (projects.length === 0) return [];
  const [names, existing] = await Promise.all([loadActionNames(db), setsOfProjects(db, projects)]);
  const operations: Operation[] = [];
  for (const set of desired) {
    const before = existing.find(({ project, name }) => project === set.project && name === set.name);
    const input = toSetInput(set, before, names, faults);
    if (input === undefined) continue;
    const operation = await compareSet(db, set, input, before, { names, options, planned }, faults);
    if (operation !== undefined) operations.push(operation);
  }
  checkLimits(existing, operations, options.limits.actionSets.sets, faults);
  return [...operations, ...disableUnnamed(existing, desired, options.pruneActions)];
}

interface ComparisonContext {
  readonly names: ActionNames;
  readonly options: PlanOptions;
  readonly planned: PlannedEntities;
}

async function compareSet(
  db: Db,
  { project, name }: DesiredActionSet,
  input: SetInput,
  before: ActionSet | undefined,
  { names, options, planned }: ComparisonContext,
  faults: StateFault[],
): Promise<Operation | undefined> {
  const limits = options.limits.actionSets;
  const place = { kind: 'action-set' as const, name, project };
  try {
    const after = previewSet(project, input, before);
    const fields = fieldChanges(before && stateOfSet(before, names), stateOfSet(after, names));
    const secrets = before !== undefined && fields.length === 0 && secretsDiffer(before, after);
    // Skip the check of an unchanged set: its flags may have been deleted since it was saved.
    if (before !== undefined && fields.length === 0 && !secrets) return undefined;
    await checkSet(db, limits, after, plannedInProject(project, planned));
    const change: StateChange = {
      ...place,
      type: before === undefined ? 'actions-created' : 'actions-updated',
      environment: null,
      item: null,
      fields: secrets ? [{ field: 'secrets', before: '*****', after: '*****' }] : fields,
    };
    return {
      change,
      run: async (tx) => {
        if (before === undefined) await createSet(tx, limits, project, input);
        else await updateSet(tx, limits, project, before.id, input);
      },
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const [{ path = '', message = error.message } = {}] = error.details ?? [];
    const text = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
    faults.push({ ...place, path: toStatePath(path), message: text });
    return undefined;
  }
}

function secretsDiffer(before: ActionSet, after: Pick<SetInput, 'actions'>): boolean {
  const params = (actions: readonly { readonly executionParams: unknown }[]) =>
    JSON.stringify(actions.map(({ executionParams }) => executionParams));
  return params(before.actions) !== params(after.actions);
}

/**
 * Resolves the names in a desired set and keeps fields that it omits. Returns undefined, after adding faults, when
 * something does not exist.
 */
function toSetInput(
  desired: DesiredActionSet,
  before: ActionSet | undefined,
  { endpoints, accounts }: ActionNames,
  faults: StateFault[],
): SetInput | undefined {
  const { project, name } = desired;
  const faultsBefore = faults.length;
  const fault = (path: string, message: string) =>
    void faults.push({ kind: 'action-set', name, project, path, message });
  const idOf = (
    text: string | undefined,
    currentId: number | undefined,
    ids: ReadonlyMap<number, string>,
    path: string,
  ) => {
    if (text === undefined && currentId === undefined) fault(path, 'is required for a new action set');
    if (text === undefined) return currentId ?? 0;
    const id = [...ids].find(([, name]) => name === text)?.[0];
    if (id === undefined)
      fault(path, `there is no ${path.startsWith('when') ? 'signal endpoint' : 'service account'} ${text}`);
    return id ?? 0;
  };
  const sourceId = idOf(desired.endpoint, before?.endpointId, endpoints, 'when.endpoint');
  const actorId = idOf(desired.serviceAccount, before?.actorId, accounts, 'serviceAccount');
  const actions = desired.actions ?? before?.actions;
  if (actions === undefined) fault('do', 'is required for a new action set');
  if (faults.length > faultsBefore || actions === undefined) return undefined;
  const { description, enabled, shadow, allow, guards, trigger, forEach } = desired;
  const match = {
    sourceId,
    trigger,
    payload: desired.filters ?? before?.filters ?? {},
    release: desired.release,
    forEach,
  };
  return { name, description, enabled, shadow, allow, guards, actorId, match, actions };
}

/** Returns the flags and environments of a project that will be created, and the flags that will be archived. */
function plannedInProject(project: string, { projects, flags, archived }: PlannedEntities) {
  const own = flags.filter(({ after }) => after.feature.project === project).map(({ after }) => after.feature.name);
  return {
    flags: own,
    removedFlags: archived.get(project) ?? [],
    environments: projects.get(project)?.environments ?? [],
  };
}

function checkLimits(
  existing: readonly ActionSet[],
  operations: readonly Operation[],
  limit: number,
  faults: StateFault[],
): void {
  const created = operations.filter(({ change }) => change.type === 'actions-created');
  for (const [project, more] of Map.groupBy(created, ({ change }) => change.project ?? '')) {
    if (existing.filter((set) => set.project === project).length + more.length <= limit) continue;
    const message = limitFault(limit, 'action sets of a project');
    faults.push({ kind: 'project', name: project, path: 'actions', message });
  }
}

/** Disables the enabled sets that the state does not name. Only users delete action sets. */
function disableUnnamed(
  existing: readonly ActionSet[],
  desired: readonly DesiredActionSet[],
  prune: readonly string[],
): Operation[] {
  const unnamed = existing.filter(
    ({ project, name, enabled }) =>
      enabled && prune.includes(project) && !desired.some((set) => set.project === project && set.name === name),
  );
  return unnamed.map(({ id, project, name }) => ({
    change: {
      type: 'actions-updated',
      kind: 'action-set',
      name,
      project,
      environment: null,
      item: null,
      fields: [{ field: 'enabled', before: true, after: false }],
    },
    run: async (tx) => void (await setEnabled(tx, project, id, false)),
  }));
}

/** Converts the path of an API field to its path in the state file. */
function toStatePath(path: string): string {
  return path
    .replace(/^actorId$/, 'serviceAccount')
    .replace(/^match\.sourceId$/, 'when.endpoint')
    .replace(/^match\.trigger$/, 'when.trigger')
    .replace(/^match\.payload/, 'when.filters')
    .replace(/^match\.release/, 'when.release')
    .replace(/^match\.forEach/, 'when.forEach')
    .replace(/^actions\b/, 'do')
    .replace('.executionParams', '.parameters');
}
