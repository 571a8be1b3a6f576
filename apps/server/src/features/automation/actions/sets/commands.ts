import { requireProject } from '#features/projects/projects/index.ts';
import { findEndpoint, newestSignalId } from '#features/signals/signals/index.ts';
import type { Author } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import { limitReached } from '#kernel/limits.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { restoreSecrets, shownParameters, withoutMaskedSecrets } from '../kinds/index.ts';
import {
  type ActionSet,
  type Allowed,
  type GuardRules,
  type RecordedSet,
  type SetTrigger,
  setEventData,
} from './action-set.ts';
import { checkSet, type DesiredSet, type SetLimits } from './check.ts';
import { keepFormerEnd } from './former-ends.ts';
import * as store from './store.ts';

/** An action in a request. The id identifies an existing action of the set. */
type InputAction = store.NewAction & { readonly id?: number | undefined };

/** The input of a set. An absent field keeps its value, or its default in a new set. */
export interface SetInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly actorId: number;
  readonly match: {
    readonly sourceId: number;
    readonly trigger?: SetTrigger | undefined;
    readonly payload: ActionSet['filters'];
    readonly release?: ActionSet['releaseFilters'] | undefined;
    readonly forEach?: string | null | undefined;
  };
  readonly actions: readonly InputAction[];
  readonly allow?: Allowed | null | undefined;
  readonly guards?: GuardRules | null | undefined;
  readonly shadow?: boolean | undefined;
}

/** Validates a set and returns it without saving it. */
export async function draftSet(
  db: Db,
  limits: SetLimits,
  project: string,
  input: SetInput,
  { now, by }: { readonly now: number; readonly by: Author },
): Promise<ActionSet> {
  await requireProject(db, project);
  const created = { createdAt: now, createdByUserId: by.actor.userId };
  const actions = input.actions.map((action) => ({
    ...action,
    executionParams: withoutMaskedSecrets(action.action, action.executionParams),
  }));
  const desired = desiredSet({ ...input, actions }, { ...defaults, project, sinceSignalId: 0, ...created });
  await checkSet(db, limits, desired);
  return {
    ...desired,
    id: 0,
    actions: desired.actions.map((action, index) => ({ id: index + 1, ...created, ...action })),
  };
}

/**
 * Returns the set that {@link createSet} or {@link updateSet} would save. Throws a 400 when a masked secret has no
 * stored value.
 */
export function previewSet(project: string, input: SetInput, before: ActionSet | undefined): DesiredSet {
  const created = { project, sinceSignalId: 0, createdAt: 0, createdByUserId: 0 };
  return desiredSet(withSecrets(input, before?.actions ?? []), before ?? { ...defaults, ...created });
}

/**
 * Creates a set, which runs on signals that arrive from now on. Rejects with 400 over the limit, and with 409 when the
 * project has a set of this name.
 */
export async function createSet(tx: Tx, limits: SetLimits, project: string, input: SetInput): Promise<ActionSet> {
  await requireProject(tx.db, project);
  if ((await store.findSetNamed(tx.db, project, input.name)) !== undefined) throw nameTaken(project, input.name);
  if ((await store.countSets(tx.db, project)) >= limits.sets)
    throw limitReached(limits.sets, 'action sets of a project', 'Delete one that is no longer used.');
  const desired: DesiredSet = desiredSet(withSecrets(input, []), {
    ...defaults,
    project,
    sinceSignalId: await newestSignalId(tx.db),
    createdAt: tx.now,
    createdByUserId: tx.by.actor.userId,
  });
  await checkSet(tx.db, limits, desired);
  const id = await store.insertSet(tx, desired);
  await store.replaceActions(tx, id, [], desired.actions);
  const set = await requireSet(tx.db, project, id);
  tx.record({ type: 'actions-created', project, data: setEventData(set) });
  return set;
}

/**
 * Updates a set. If it is enabled, or an enabled set gets another trigger or endpoint, it runs on signals that arrive
 * from now on. Records no event when nothing changes.
 */
export async function updateSet(
  tx: Tx,
  limits: SetLimits,
  project: string,
  id: number,
  input: SetInput,
): Promise<ActionSet> {
  const before = await requireSet(tx.db, project, id);
  const taken = await store.findSetNamed(tx.db, project, input.name);
  if (taken !== undefined && taken !== id) throw nameTaken(project, input.name);
  const desired = desiredSet(withSecrets(input, before.actions), before);
  await checkSet(tx.db, limits, desired);
  return saveSet(tx, before, desired);
}

/**
 * Enables or disables a set. Does nothing when the set already is in that state. Rejects with 409 when the endpoint of
 * the set was deleted, or when silence triggers the set and its endpoint expects no signals.
 */
export async function setEnabled(tx: Tx, project: string, id: number, enabled: boolean): Promise<ActionSet> {
  const before = await requireSet(tx.db, project, id);
  if (enabled && !before.enabled) await requireTrigger(tx.db, before);
  return saveSet(tx, before, { ...before, enabled });
}

export async function deleteSet(tx: Tx, project: string, id: number): Promise<void> {
  const before = await requireSet(tx.db, project, id);
  await store.deleteSet(tx, id);
  tx.record({ type: 'actions-deleted', project, preData: setEventData(before) });
}

/** Returns the set. Rejects with 404 when the project has no such set. */
export async function requireSet(db: Db, project: string, id: number): Promise<ActionSet> {
  const set = await store.findSet(db, id);
  if (set?.project === project) return set;
  throw new Problem('NotFoundError', `The project ${project} has no action set ${id}.`);
}

/** Saves a set that has been checked. Records no event when nothing changes. */
export async function saveSet(tx: Tx, before: ActionSet, desired: DesiredSet): Promise<ActionSet> {
  const { id, project } = before;
  const [preData, data] = [setEventData(before), setEventData({ ...desired, id })];
  const withSecretValues = (set: RecordedSet) =>
    JSON.stringify([setEventData({ ...set, id }), set.actions.map(({ executionParams }) => executionParams)]);
  if (withSecretValues(before) === withSecretValues({ ...desired, id })) return before;
  const startsAnew = desired.enabled && (!before.enabled || listensTo(desired) !== listensTo(before));
  const sinceSignalId = startsAnew ? await newestSignalId(tx.db) : before.sinceSignalId;
  await keepFormerEnd(tx, before, desired);
  await store.replaceActions(tx, id, before.actions, desired.actions);
  await store.updateSet(tx, { ...before, ...desired, id, sinceSignalId, actions: before.actions });
  tx.record({ type: 'actions-updated', project, preData, data });
  return requireSet(tx.db, project, id);
}

type Defaults = Omit<DesiredSet, 'name' | 'actorId' | 'endpointId' | 'filters' | 'actions'>;

const defaults = {
  description: null,
  enabled: true,
  trigger: 'signal',
  releaseFilters: null,
  forEach: null,
  allow: null,
  guards: {},
  shadow: false,
} as const;

/** The most flags in an hour of a set that may touch any flag, unless another number is given. */
const defaultFlagsPerHour = 20;

/**
 * Returns the guards of a set, with a limit of flags in an hour if it may touch any flag. A set that was saved without
 * a limit goes on without one.
 */
function boundedGuards(
  { allow, guards }: Pick<DesiredSet, 'allow' | 'guards'>,
  before: Pick<DesiredSet, 'allow' | 'guards'>,
): GuardRules {
  const isUnbounded = (set: Pick<DesiredSet, 'allow' | 'guards'>) =>
    set.allow?.flags.includes('*') === true && set.guards.flagsPerHour === undefined;
  if (!isUnbounded({ allow, guards }) || isUnbounded(before)) return guards;
  return { ...guards, flagsPerHour: defaultFlagsPerHour };
}

function desiredSet(input: SetInput, before: Defaults): DesiredSet {
  const { match } = input;
  const allow = input.allow === undefined ? before.allow : input.allow;
  const guards = input.guards === undefined ? before.guards : (input.guards ?? {});
  return {
    project: before.project,
    name: input.name,
    description: input.description === undefined ? before.description : input.description,
    enabled: input.enabled ?? before.enabled,
    actorId: input.actorId,
    endpointId: match.sourceId,
    trigger: match.trigger ?? before.trigger,
    filters: match.payload,
    releaseFilters: match.release === undefined ? before.releaseFilters : match.release,
    forEach: match.forEach === undefined ? before.forEach : match.forEach,
    allow,
    guards: boundedGuards({ allow, guards }, before),
    shadow: input.shadow ?? before.shadow,
    sinceSignalId: before.sinceSignalId,
    createdAt: before.createdAt,
    createdByUserId: before.createdByUserId,
    actions: input.actions
      .map(({ action, sortOrder, executionParams }) => ({ action, sortOrder, executionParams }))
      .toSorted((a, b) => a.sortOrder - b.sortOrder),
  };
}

/** Returns what a set listens to, as text to compare. */
function listensTo({ trigger, endpointId }: Pick<ActionSet, 'trigger' | 'endpointId'>): string {
  return `${trigger} ${endpointId}`;
}

/** Rejects with 409 when nothing can trigger the set. */
async function requireTrigger(db: Db, { name, trigger, endpointId }: ActionSet): Promise<void> {
  const endpoint = await findEndpoint(db, endpointId);
  if (endpoint === undefined)
    throw new Problem('ConflictError', `The signal endpoint of ${name} was deleted. Choose another endpoint first.`);
  if (trigger !== 'silence' || endpoint.expectedMinutes !== null) return;
  throw new Problem(
    'ConflictError',
    `The endpoint of ${name} expects no signals, so it is never silent. Set the minutes within which it expects one.`,
  );
}

/** Restores the secrets of the existing actions where `*****` was sent. */
function withSecrets(input: SetInput, before: ActionSet['actions']): SetInput {
  const shown = ({ action, executionParams }: Pick<InputAction, 'action' | 'executionParams'>) =>
    JSON.stringify(Object.entries(shownParameters(action, executionParams)).sort());
  const findExisting = (sent: InputAction) => {
    const sameKind = before.filter(({ action }) => action === sent.action);
    if (sent.id !== undefined) return sameKind.find(({ id }) => id === sent.id);
    // Actions without an id are matched by their parameters first, so that reordered actions keep their secrets.
    return (
      sameKind.find((existing) => shown(existing) === shown(sent)) ??
      sameKind.find(({ sortOrder }) => sortOrder === sent.sortOrder)
    );
  };
  const actions = input.actions.map((action, index) => {
    const params = findExisting(action)?.executionParams;
    const path = `actions.${index}.executionParams`;
    return { ...action, executionParams: restoreSecrets(action.action, action.executionParams, params, path) };
  });
  return { ...input, actions };
}

function nameTaken(project: string, name: string): Problem {
  return new Problem('NameExistsError', `The project ${project} already has an action set named ${name}.`, {
    details: [{ message: 'is taken', path: 'name' }],
  });
}
