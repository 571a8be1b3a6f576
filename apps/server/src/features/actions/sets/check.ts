import { badField, Problem } from '../../../kernel/errors.ts';
import type { Db } from '../../../storage/tx.ts';
import { readAccessRights } from '../../access/index.ts';
import { listEnvironmentsOfProject } from '../../environments/index.ts';
import { findFeatures, listStrategies } from '../../flags/index.ts';
import { requireServiceAccount } from '../../service-accounts/index.ts';
import { requireEndpoint } from '../../signals/index.ts';
import { type ActionKind, findKind, kindNames, tagOf } from '../kinds/index.ts';
import {
  checkFilters,
  type FilterLimits,
  isTemplate,
  pathProblem,
  pathsIn,
  templateProblem,
} from '../matching/index.ts';
import type { ActionSet } from './action-set.ts';
import type { NewAction } from './store.ts';

export interface SetLimits extends FilterLimits {
  /** Sets of one project. */
  readonly sets: number;
  /** Actions of one set. */
  readonly actions: number;
}

/** A set as it is to be. */
export type WantedSet = Omit<ActionSet, 'id' | 'actions'> & { readonly actions: readonly NewAction[] };

/** What the parameters of actions may name. */
interface Known {
  readonly environments: ReadonlySet<string>;
  /** Flags of the project that are in use, among those that are named. */
  readonly flags: ReadonlySet<string>;
}

/** What there will be in the project of a set, when more is changed at once. */
export interface Planned {
  readonly flags: readonly string[];
  /** Flags that there are and will not be. */
  readonly gone: readonly string[];
  readonly environments: readonly string[];
}

/** A 400 that names the first field of a set that is wrong: what is saved can run, unless things change afterwards. */
export async function checkSet(db: Db, limits: SetLimits, set: WantedSet, planned?: Planned): Promise<void> {
  await found(requireEndpoint(db, set.endpointId), 'match.sourceId', 'must be the id of a signal endpoint');
  await found(requireServiceAccount(db, set.actorId), 'actorId', 'must be the id of a service account');
  checkFilters(set.filters, limits);
  if (set.forEach !== null) {
    const problem = pathProblem(set.forEach);
    if (problem !== undefined) throw badField('match.forEach', problem);
  }
  if (set.actions.length > limits.actions)
    throw new Problem('ExceedsLimitError', `There can be at most ${limits.actions} actions in a set.`, {
      details: [{ message: `must hold at most ${limits.actions}`, path: 'actions' }],
    });
  const known = await readKnown(db, set, planned);
  checkAllowed(set, known);
  for (const [index, action] of set.actions.entries()) {
    checkAction(set, known, action, `actions.${index}`);
    await checkStrategy(db, action, `actions.${index}.executionParams.strategyId`);
  }
  await checkPermissions(db, set);
}

async function found(looking: Promise<unknown>, path: string, message: string): Promise<void> {
  await looking.catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) throw badField(path, message);
    throw error;
  });
}

async function readKnown(db: Db, set: WantedSet, planned?: Planned): Promise<Known> {
  const environments =
    planned?.environments ?? (await listEnvironmentsOfProject(db, set.project)).map(({ name }) => name);
  const names = set.actions.flatMap(({ executionParams: { featureName } }) =>
    typeof featureName === 'string' && !isTemplate(featureName) ? [featureName] : [],
  );
  const named = [...new Set([...names, ...(set.allow?.flags ?? [])])];
  const flags = await findFeatures(db, named);
  const inUse = flags.filter(({ project, archivedAt }) => project === set.project && archivedAt === null);
  const there = inUse.map(({ name }) => name).filter((name) => planned?.gone.includes(name) !== true);
  return { environments: new Set(environments), flags: new Set([...there, ...(planned?.flags ?? [])]) };
}

function checkAllowed({ allow, project }: WantedSet, known: Known): void {
  if (allow === null) return;
  for (const [index, flag] of allow.flags.entries())
    if (flag !== '*' && !known.flags.has(flag)) throw badField(`allow.flags.${index}`, noFlag(project));
  for (const [index, tag] of allow.tags.entries()) checkTag(tag, `allow.tags.${index}`);
  for (const [index, environment] of allow.environments.entries())
    if (!known.environments.has(environment)) throw badField(`allow.environments.${index}`, noEnvironment(project));
}

function checkAction(set: WantedSet, known: Known, { action, executionParams: params }: NewAction, path: string): void {
  const kind = findKind(action);
  if (kind === undefined) throw badField(`${path}.action`, `must be one of ${kindNames.join(', ')}`);
  const field = (name: string) => `${path}.executionParams.${name}`;
  const templates = Object.entries(params).filter(([, value]) => isTemplate(value));
  for (const [name, template] of templates) checkTemplate(set, name, String(template), field(name));
  checkShape(kind, params, field);
  const wrong = kind.outbound?.check(params);
  if (wrong !== undefined) throw badField(field(wrong.name), wrong.problem);
  if (params['project'] !== set.project) throw badField(field('project'), `must be ${set.project}`);
  const literal = (name: string) => {
    const value = params[name];
    return typeof value === 'string' && !isTemplate(value) ? value : undefined;
  };
  const [environment, flag, tag] = [literal('environment'), literal('featureName'), literal('tag')];
  if (environment !== undefined && !known.environments.has(environment))
    throw badField(field('environment'), noEnvironment(set.project));
  if (flag !== undefined && !known.flags.has(flag)) throw badField(field('featureName'), noFlag(set.project));
  if (tag !== undefined) checkTag(tag, field('tag'));
}

/** A strategy that is named must be one of the flag there. */
async function checkStrategy(db: Db, { executionParams: params }: NewAction, path: string): Promise<void> {
  const { strategyId, featureName, environment } = params;
  const named = [strategyId, featureName, environment];
  if (named.some((value) => typeof value !== 'string' || isTemplate(value))) return;
  const strategies = await listStrategies(db, [String(featureName)], String(environment));
  if (strategies.some(({ id }) => id === strategyId)) return;
  throw badField(path, `must be the id of a strategy of ${featureName} in ${environment}`);
}

/** What comes from the payload is checked when it is known; all else now. */
function checkShape(kind: ActionKind, params: NewAction['executionParams'], field: (name: string) => string): void {
  const { error } = kind.schema.safeParse(params);
  for (const issue of error?.issues ?? []) {
    const [first] = issue.code === 'unrecognized_keys' ? issue.keys : issue.path;
    const name = String(first ?? '');
    if (issue.code === 'unrecognized_keys') throw badField(field(name), 'is not a parameter of this action');
    if (!isTemplate(params[name])) throw badField(field(name), `is wrong: ${issue.message}`);
  }
}

/** Which list says what the parameter may name, and what is said when it is empty. */
const lists = {
  featureName: (allow: ActionSet['allow']) => (allow?.flags.length ?? 0) + (allow?.tags.length ?? 0),
  tag: (allow: ActionSet['allow']) => allow?.tags.length ?? 0,
  environment: (allow: ActionSet['allow']) => allow?.environments.length ?? 0,
} as const;

function checkTemplate(set: WantedSet, name: string, template: string, field: string): void {
  const problem = templateProblem(template);
  if (problem !== undefined) throw badField(field, problem);
  if (name === 'project') throw badField(field, 'must not come from the payload');
  if (set.forEach === null && pathsIn(template).some((path) => /^item($|[.[])/.test(path)))
    throw badField(field, 'names item, which there is only with match.forEach');
  if (Object.hasOwn(lists, name) && lists[name as keyof typeof lists](set.allow) === 0)
    throw badField(field, 'comes from the payload: allow has to say what it may name');
}

function checkTag(tag: string, path: string): void {
  try {
    tagOf(tag);
  } catch (error) {
    if (error instanceof Problem) throw badField(path, 'must be a tag such as simple:checkout');
    throw error;
  }
}

/** What the service account lacks for an action in an environment that it may run in. */
async function checkPermissions(db: Db, set: WantedSet): Promise<void> {
  const rights = await readAccessRights(db, set.actorId);
  for (const { action, executionParams } of set.actions) {
    const kind = findKind(action);
    if (kind === undefined) continue;
    const named = executionParams['environment'];
    const places =
      named === undefined
        ? [{ project: set.project }]
        : (isTemplate(named) ? (set.allow?.environments ?? []) : [String(named)]).map((environment) => ({
            project: set.project,
            environment,
          }));
    const lacking = places.find((place) => !rights.can(kind.permission, place));
    if (lacking === undefined) continue;
    const where = 'environment' in lacking ? ` in ${lacking.environment}` : '';
    throw badField('actorId', `lacks the permission ${kind.permission}${where}`);
  }
}

function noFlag(project: string): string {
  return `must be a flag of the project ${project} that is not archived`;
}

function noEnvironment(project: string): string {
  return `must be an environment of the project ${project}`;
}
