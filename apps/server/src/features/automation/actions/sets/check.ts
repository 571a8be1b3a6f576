import { findFeatures } from '#features/flags/feature/index.ts';
import { listStrategies } from '#features/flags/strategies/index.ts';
import { readAccessRights } from '#features/people/access/index.ts';
import { requireServiceAccount } from '#features/people/service-accounts/index.ts';
import { checkFilters, type FilterLimits } from '#features/platform/payload-filters/index.ts';
import { listEnvironmentsOfProject } from '#features/projects/environments/index.ts';
import { requireEndpoint, type SignalEndpoint, silenceStatePath } from '#features/signals/signals/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { tooManyItems } from '#kernel/limits.ts';
import type { Db } from '#storage/tx.ts';
import { type ActionKind, findKind, kindNames, parseTag } from '../kinds/index.ts';
import { isTemplate, pathProblem, templatePaths, templateProblem } from '../matching/index.ts';
import type { ActionSet } from './action-set.ts';
import type { NewAction } from './store.ts';

export interface SetLimits extends FilterLimits {
  /** The maximum number of sets of a project. */
  readonly sets: number;
  /** The maximum number of actions of a set. */
  readonly actions: number;
}

/** The set to save. */
export type DesiredSet = Omit<ActionSet, 'id' | 'actions'> & { readonly actions: readonly NewAction[] };

/** The names that parameters may refer to. */
interface KnownNames {
  readonly environments: ReadonlySet<string>;
  /** The named flags that exist in the project and are not archived. */
  readonly flags: ReadonlySet<string>;
}

/** The state of the project after changes that are applied together with the set. */
export interface PlannedProject {
  readonly flags: readonly string[];
  /** Existing flags that will be archived. */
  readonly removedFlags: readonly string[];
  readonly environments: readonly string[];
}

/** Throws a 400 that names the first invalid field of a set. */
export async function checkSet(db: Db, limits: SetLimits, set: DesiredSet, planned?: PlannedProject): Promise<void> {
  const sourceMessage = 'must be the id of a signal endpoint';
  const endpoint = await requireFound(requireEndpoint(db, set.endpointId), 'match.sourceId', sourceMessage);
  await requireFound(requireServiceAccount(db, set.actorId), 'actorId', 'must be the id of a service account');
  checkFilters(set.filters, limits, 'match.payload');
  if (set.forEach !== null) {
    const problem = pathProblem(set.forEach);
    if (problem !== undefined) throw badField('match.forEach', problem);
  }
  if (set.trigger === 'silence') checkSilence(set, endpoint);
  if (set.actions.length > limits.actions)
    throw tooManyItems(
      `A set can have at most ${limits.actions} actions.`,
      'actions',
      `must have at most ${limits.actions} actions`,
    );
  const known = await readKnownNames(db, set, planned);
  checkAllowed(set, known);
  for (const [index, action] of set.actions.entries()) {
    checkAction(set, known, action, `actions.${index}`);
    await checkStrategy(db, action, `actions.${index}.executionParams.strategyId`);
  }
  checkRelease(set, limits);
  await checkPermissions(db, set);
}

/**
 * Rejects with 400 when silence cannot trigger a set: its endpoint expects no signals, it has `forEach`, or one of its
 * filters is on the state of the silence.
 */
function checkSilence({ filters, releaseFilters, forEach }: DesiredSet, endpoint: SignalEndpoint): void {
  if (endpoint.expectedMinutes === null)
    throw badField(
      'match.trigger',
      `needs an endpoint that expects signals: set the minutes of ${endpoint.name} first`,
    );
  if (forEach !== null) throw badField('match.forEach', 'is not available when silence triggers the actions');
  const decided = 'must not have a filter: match.trigger decides it';
  if (Object.hasOwn(filters, silenceStatePath)) throw badField(`match.payload.${silenceStatePath}`, decided);
  if (Object.hasOwn(releaseFilters ?? {}, silenceStatePath))
    throw badField(`match.release.${silenceStatePath}`, decided);
}

/** Rejects with 400 when the filters that release are invalid or missing, or when the set holds nothing. */
function checkRelease({ trigger, releaseFilters, actions }: DesiredSet, limits: SetLimits): void {
  if (releaseFilters === null) return;
  const path = 'match.release';
  checkFilters(releaseFilters, limits, path);
  if (trigger === 'signal' && Object.keys(releaseFilters).length === 0)
    throw badField(path, 'must have at least one filter: without one, every other signal would release the flags');
  if (!actions.some(({ action }) => findKind(action)?.release !== undefined))
    throw badField(path, 'needs an action that holds a feature flag');
}

function requireFound<T>(lookup: Promise<T>, path: string, message: string): Promise<T> {
  return lookup.catch((error: unknown) => {
    if (error instanceof Problem && error.status === 404) throw badField(path, message);
    throw error;
  });
}

async function readKnownNames(db: Db, set: DesiredSet, planned?: PlannedProject): Promise<KnownNames> {
  const environments =
    planned?.environments ?? (await listEnvironmentsOfProject(db, set.project)).map(({ name }) => name);
  const names = set.actions.flatMap(({ executionParams: { featureName } }) =>
    typeof featureName === 'string' && !isTemplate(featureName) ? [featureName] : [],
  );
  const named = [...new Set([...names, ...(set.allow?.flags ?? [])])];
  const flags = await findFeatures(db, named);
  const inUse = flags.filter(({ project, archivedAt }) => project === set.project && archivedAt === null);
  const remaining = inUse.map(({ name }) => name).filter((name) => planned?.removedFlags.includes(name) !== true);
  return { environments: new Set(environments), flags: new Set([...remaining, ...(planned?.flags ?? [])]) };
}

function checkAllowed({ allow, project }: DesiredSet, known: KnownNames): void {
  if (allow === null) return;
  for (const [index, flag] of allow.flags.entries())
    if (flag !== '*' && !known.flags.has(flag)) throw badField(`allow.flags.${index}`, flagMessage(project));
  for (const [index, tag] of allow.tags.entries()) checkTag(tag, `allow.tags.${index}`);
  for (const [index, environment] of allow.environments.entries())
    if (!known.environments.has(environment))
      throw badField(`allow.environments.${index}`, environmentMessage(project));
}

function checkAction(
  set: DesiredSet,
  known: KnownNames,
  { action, executionParams: params }: NewAction,
  path: string,
): void {
  const kind = findKind(action);
  if (kind === undefined) throw badField(`${path}.action`, `must be one of ${kindNames.join(', ')}`);
  const field = (name: string) => `${path}.executionParams.${name}`;
  const templates = Object.entries(params).filter(([, value]) => isTemplate(value));
  for (const [name, template] of templates) checkTemplate(set, name, String(template), field(name));
  checkShape(kind, params, field);
  const problem = kind.check?.(params) ?? kind.outbound?.check(params);
  if (problem !== undefined) throw badField(field(problem.name), problem.problem);
  if (params['project'] !== set.project)
    throw badField(field('project'), `must be the project of the action set, ${set.project}`);
  const literal = (name: string) => {
    const value = params[name];
    return typeof value === 'string' && !isTemplate(value) ? value : undefined;
  };
  const [environment, flag, tag] = [literal('environment'), literal('featureName'), literal('tag')];
  if (environment !== undefined && !known.environments.has(environment))
    throw badField(field('environment'), environmentMessage(set.project));
  if (flag !== undefined && !known.flags.has(flag)) throw badField(field('featureName'), flagMessage(set.project));
  if (tag !== undefined) checkTag(tag, field('tag'));
}

/** Rejects with 400 when the named strategy does not belong to the named flag and environment. */
async function checkStrategy(db: Db, { executionParams: params }: NewAction, path: string): Promise<void> {
  const { strategyId, featureName, environment } = params;
  const named = [strategyId, featureName, environment];
  if (named.some((value) => typeof value !== 'string' || isTemplate(value))) return;
  const strategies = await listStrategies(db, [String(featureName)], String(environment));
  if (strategies.some(({ id }) => id === strategyId)) return;
  throw badField(path, `must be the id of a strategy of ${featureName} in ${environment}`);
}

/** Checks the parameters against the schema. Values from the payload are checked when the set runs. */
function checkShape(kind: ActionKind, params: NewAction['executionParams'], field: (name: string) => string): void {
  const { error } = kind.schema.safeParse(params);
  for (const issue of error?.issues ?? []) {
    const [first] = issue.code === 'unrecognized_keys' ? issue.keys : issue.path;
    const name = String(first ?? '');
    if (issue.code === 'unrecognized_keys') throw badField(field(name), 'is not a parameter of this action');
    if (!isTemplate(params[name])) throw badField(field(name), `is invalid: ${issue.message}`);
  }
}

/** The number of allowed values for each parameter that a payload may fill in. */
const allowedCounts = {
  featureName: (allow: ActionSet['allow']) => (allow?.flags.length ?? 0) + (allow?.tags.length ?? 0),
  tag: (allow: ActionSet['allow']) => allow?.tags.length ?? 0,
  environment: (allow: ActionSet['allow']) => allow?.environments.length ?? 0,
} as const;

function checkTemplate(set: DesiredSet, name: string, template: string, field: string): void {
  const problem = templateProblem(template);
  if (problem !== undefined) throw badField(field, problem);
  if (name === 'project') throw badField(field, 'must not come from the payload');
  if (set.forEach === null && templatePaths(template).some((path) => /^item($|[.[])/.test(path)))
    throw badField(field, 'uses item, which is available only with match.forEach');
  if (Object.hasOwn(allowedCounts, name) && allowedCounts[name as keyof typeof allowedCounts](set.allow) === 0)
    throw badField(field, 'comes from the payload: list the allowed values in allow');
}

function checkTag(tag: string, path: string): void {
  try {
    parseTag(tag);
  } catch (error) {
    if (error instanceof Problem) throw badField(path, 'must be a tag of the form type:value, such as simple:checkout');
    throw error;
  }
}

/** Rejects with 400 when the service account lacks a permission in an environment that an action may run in. */
async function checkPermissions(db: Db, set: DesiredSet): Promise<void> {
  const missing = findMissingPermission(set, await readAccessRights(db, set.actorId));
  if (missing !== undefined) throw badField('actorId', `lacks the permission ${missing}`);
}

type Rights = Pick<Awaited<ReturnType<typeof readAccessRights>>, 'can'>;

/** Returns the first permission that a set needs and its account lacks, with the environment; undefined if none. */
export function findMissingPermission(set: DesiredSet, accessRights: Rights): string | undefined {
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
    const forbiddenPlace = places.find((place) => !accessRights.can(kind.permission, place));
    if (forbiddenPlace === undefined) continue;
    const where = 'environment' in forbiddenPlace ? ` in ${forbiddenPlace.environment}` : '';
    return `${kind.permission}${where}`;
  }
  return undefined;
}

function flagMessage(project: string): string {
  return `must be a flag of the project ${project} that is not archived`;
}

function environmentMessage(project: string): string {
  return `must be an environment of the project ${project}`;
}
