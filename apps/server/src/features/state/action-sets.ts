import type { State } from '@yardarm/contract';
import { Problem } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';
import { listAccounts } from '../access/index.ts';
import {
  type ActionSet,
  checkSet,
  createSet,
  foreseen,
  type SetInput,
  setEnabled,
  setsOfProjects,
  shownParameters,
  updateSet,
} from '../actions/index.ts';
import type { FlagPlan, ProjectWithEnvironments } from '../flags/index.ts';
import { listEndpoints } from '../signals/index.ts';
import { fieldChanges, type StateChange } from './changes.ts';
import type { Operation } from './operations.ts';
import type { PlanOptions, StateFault } from './options.ts';
import type { WantedActionSet } from './wanted-state.ts';

/** What there will be by the time that sets of actions are written. */
export interface PlannedThings {
  readonly projects: ReadonlyMap<string, ProjectWithEnvironments>;
  readonly flags: readonly FlagPlan[];
  readonly archived: ReadonlyMap<string, readonly string[]>;
}

type StateActionSet = NonNullable<NonNullable<State['projects']>[string]['actions']>[string];

/** What sets of actions name by id, and how it is called. */
export interface ActionNames {
  readonly endpoints: ReadonlyMap<number, string>;
  readonly accounts: ReadonlyMap<number, string>;
}

/** Two statements. */
export async function loadActionNames(db: Db): Promise<ActionNames> {
  const [endpoints, accounts] = await Promise.all([listEndpoints(db), listAccounts(db, 'service-account')]);
  return {
    endpoints: new Map(endpoints.map(({ id, name }) => [id, name])),
    accounts: new Map(accounts.map(({ id, username }) => [id, username ?? ''])),
  };
}

/** A set as state says it, without secrets. What it names and is gone is left out, and stays as it is when that is applied. */
export function stateOfSet(set: Shown, { endpoints, accounts }: ActionNames): StateActionSet {
  const [endpoint, serviceAccount] = [endpoints.get(set.endpointId), accounts.get(set.actorId)];
  return {
    ...(set.description === null ? {} : { description: set.description }),
    enabled: set.enabled,
    ...(set.shadow ? { shadow: true } : {}),
    ...(serviceAccount === undefined ? {} : { serviceAccount }),
    when: {
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(set.forEach === null ? {} : { forEach: set.forEach }),
      filters: Object.fromEntries(
        Object.entries(set.filters).map(([path, { values, ...filter }]) => [
          path,
          { ...filter, ...(values === undefined ? {} : { values: [...values] }) },
        ]),
      ),
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

type Json = NonNullable<NonNullable<StateActionSet['do']>[number]['parameters']>;
/** What of a set state tells. */
type Shown = Pick<
  ActionSet,
  'description' | 'enabled' | 'shadow' | 'actorId' | 'endpointId' | 'forEach' | 'filters' | 'allow' | 'guards'
> & { readonly actions: readonly Pick<ActionSet['actions'][number], 'action' | 'executionParams'>[] };

/**
 * Compares sets of actions with those there are. A constant number of statements, and those of the checks for each set that would be
 * changed.
 */
export async function compareActionSets(
  db: Db,
  wanted: readonly WantedActionSet[],
  options: PlanOptions,
  planned: PlannedThings,
  faults: StateFault[],
): Promise<Operation[]> {
  const projects = [...new Set([...wanted.map(({ project }) => project), ...options.pruneActions])];
  if (projects.length === 0) return [];
  const [names, there] = await Promise.all([loadActionNames(db), setsOfProjects(db, projects)]);
  const operations: Operation[] = [];
  for (const one of wanted) {
    const before = there.find(({ project, name }) => project === one.project && name === one.name);
    const input = inputOf(one, before, names, faults);
    if (input === undefined) continue;
    const operation = await compare(db, one, input, before, { names, options, planned }, faults);
    if (operation !== undefined) operations.push(operation);
  }
  checkRoom(there, operations, options.limits.actionSets.sets, faults);
  return [...operations, ...disabled(there, wanted, options.pruneActions)];
}

interface Around {
  readonly names: ActionNames;
  readonly options: PlanOptions;
  readonly planned: PlannedThings;
}

async function compare(
  db: Db,
  { project, name }: WantedActionSet,
  input: SetInput,
  before: ActionSet | undefined,
  { names, options, planned }: Around,
  faults: StateFault[],
): Promise<Operation | undefined> {
  const limits = options.limits.actionSets;
  const place = { kind: 'action-set' as const, name, project };
  try {
    const after = foreseen(project, input, before);
    const fields = fieldChanges(before && stateOfSet(before, names), stateOfSet(after, names));
    const secrets = before !== undefined && fields.length === 0 && differ(before, after);
    // What it names may be gone since it was saved: that is told when it is changed.
    if (before !== undefined && fields.length === 0 && !secrets) return undefined;
    await checkSet(db, limits, after, plannedIn(project, planned));
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
    const told = message.startsWith(`${path} `) ? message.slice(path.length + 1) : message;
    faults.push({ ...place, path: stateField(path), message: told });
    return undefined;
  }
}

function differ(before: ActionSet, after: Pick<SetInput, 'actions'>): boolean {
  const params = (actions: readonly { readonly executionParams: unknown }[]) =>
    JSON.stringify(actions.map(({ executionParams }) => executionParams));
  return params(before.actions) !== params(after.actions);
}

/** What the names of a wanted set stand for, and what stays; undefined when something is missing, which is noted. */
function inputOf(
  wanted: WantedActionSet,
  before: ActionSet | undefined,
  { endpoints, accounts }: ActionNames,
  faults: StateFault[],
): SetInput | undefined {
  const { project, name } = wanted;
  const found = faults.length;
  const fault = (path: string, message: string) =>
    void faults.push({ kind: 'action-set', name, project, path, message });
  const idOf = (text: string | undefined, kept: number | undefined, ids: ReadonlyMap<number, string>, path: string) => {
    if (text === undefined && kept === undefined) fault(path, 'is needed for what is new');
    if (text === undefined) return kept ?? 0;
    const id = [...ids].find(([, one]) => one === text)?.[0];
    if (id === undefined)
      fault(path, `there is no ${path.startsWith('when') ? 'signal endpoint' : 'service account'} ${text}`);
    return id ?? 0;
  };
  const sourceId = idOf(wanted.endpoint, before?.endpointId, endpoints, 'when.endpoint');
  const actorId = idOf(wanted.serviceAccount, before?.actorId, accounts, 'serviceAccount');
  const actions = wanted.actions ?? before?.actions;
  if (actions === undefined) fault('do', 'is needed for what is new');
  if (faults.length > found || actions === undefined) return undefined;
  const { description, enabled, shadow, allow, guards, forEach } = wanted;
  const match = { sourceId, payload: wanted.filters ?? before?.filters ?? {}, forEach };
  return { name, description, enabled, shadow, allow, guards, actorId, match, actions };
}

/** Flags and environments of a project that are not there yet, or will not be. */
function plannedIn(project: string, { projects, flags, archived }: PlannedThings) {
  const own = flags.filter(({ after }) => after.feature.project === project).map(({ after }) => after.feature.name);
  return { flags: own, gone: archived.get(project) ?? [], environments: projects.get(project)?.environments ?? [] };
}

function checkRoom(
  there: readonly ActionSet[],
  operations: readonly Operation[],
  limit: number,
  faults: StateFault[],
): void {
  const created = operations.filter(({ change }) => change.type === 'actions-created');
  for (const [project, more] of Map.groupBy(created, ({ change }) => change.project ?? '')) {
    if (there.filter((one) => one.project === project).length + more.length <= limit) continue;
    const message = `the limit of ${limit} sets of actions of a project would be passed`;
    faults.push({ kind: 'project', name: project, path: 'actions', message });
  }
}

/** Sets that are not named do nothing any more; deleted they are by people only. */
function disabled(
  there: readonly ActionSet[],
  wanted: readonly WantedActionSet[],
  prune: readonly string[],
): Operation[] {
  const left = there.filter(
    ({ project, name, enabled }) =>
      enabled && prune.includes(project) && !wanted.some((one) => one.project === project && one.name === name),
  );
  return left.map(({ id, project, name }) => ({
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

/** Where the state has what the API has in this field. */
function stateField(path: string): string {
  return path
    .replace(/^actorId$/, 'serviceAccount')
    .replace(/^match\.sourceId$/, 'when.endpoint')
    .replace(/^match\.payload/, 'when.filters')
    .replace(/^match\.forEach/, 'when.forEach')
    .replace(/^actions\b/, 'do')
    .replace('.executionParams', '.parameters');
}
