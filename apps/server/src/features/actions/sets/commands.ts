import type { Author } from '../../../kernel/actor.ts';
import { Problem } from '../../../kernel/errors.ts';
import type { Db, Tx } from '../../../storage/tx.ts';
import { requireProject } from '../../projects/index.ts';
import { shownParameters, withoutHidden, withSecretsOf } from '../kinds/index.ts';
import { type ActionSet, type Allowed, type GuardRules, type SetAsRecorded, setEventData } from './action-set.ts';
import { checkSet, type SetLimits, type WantedSet } from './check.ts';
import * as store from './store.ts';

/** An action as it is sent: by its id when it is one that the set has. */
type InputAction = store.NewAction & { readonly id?: number | undefined };

/** What a person says of a set. What is absent stays as it is, or is what is usual. */
export interface SetInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly actorId: number;
  readonly match: {
    readonly sourceId: number;
    readonly payload: ActionSet['filters'];
    readonly forEach?: string | null | undefined;
  };
  readonly actions: readonly InputAction[];
  readonly allow?: Allowed | null | undefined;
  readonly guards?: GuardRules | null | undefined;
  readonly shadow?: boolean | undefined;
}

/** A set as it would be saved, with its checks, that is not saved. */
export async function draftSet(
  db: Db,
  limits: SetLimits,
  project: string,
  input: SetInput,
  { now, by }: { readonly now: number; readonly by: Author },
): Promise<ActionSet> {
  await requireProject(db, project);
  const made = { createdAt: now, createdByUserId: by.actor.userId };
  const actions = input.actions.map((one) => ({
    ...one,
    executionParams: withoutHidden(one.action, one.executionParams),
  }));
  const wanted = wantedSet({ ...input, actions }, { ...usual, project, sinceSignalId: 0, ...made });
  await checkSet(db, limits, wanted);
  return { ...wanted, id: 0, actions: wanted.actions.map((action, index) => ({ id: index + 1, ...made, ...action })) };
}

/** What {@link createSet}, or {@link updateSet} of `before`, would save. A 400 for a secret that is not known. */
export function foreseen(project: string, input: SetInput, before: ActionSet | undefined): WantedSet {
  const made = { project, sinceSignalId: 0, createdAt: 0, createdByUserId: 0 };
  return wantedSet(withSecrets(input, before?.actions ?? []), before ?? { ...usual, ...made });
}

/** Creates a set, which signals that come from now on set off. 400 over the limit, 409 when the project has one of that name. */
export async function createSet(tx: Tx, limits: SetLimits, project: string, input: SetInput): Promise<ActionSet> {
  await requireProject(tx.db, project);
  if ((await store.findSetNamed(tx.db, project, input.name)) !== undefined) throw nameTaken(project, input.name);
  if ((await store.countSets(tx.db, project)) >= limits.sets)
    throw new Problem('ExceedsLimitError', `The limit of ${limits.sets} sets of actions of a project is reached.`);
  const wanted: WantedSet = wantedSet(withSecrets(input, []), {
    ...usual,
    project,
    sinceSignalId: await store.newestSignal(tx.db),
    createdAt: tx.now,
    createdByUserId: tx.by.actor.userId,
  });
  await checkSet(tx.db, limits, wanted);
  const id = await store.insertSet(tx, wanted);
  await store.putActions(tx, id, [], wanted.actions);
  const set = await requireSet(tx.db, project, id);
  tx.record({ type: 'actions-created', project, data: setEventData(set) });
  return set;
}

/**
 * Changes a set. When it is enabled by that, or gets another source, only signals that come from now on set it off. Nothing is
 * recorded when nothing changes.
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
  const wanted = wantedSet(withSecrets(input, before.actions), before);
  await checkSet(tx.db, limits, wanted);
  return change(tx, before, wanted);
}

/** Enables or disables a set; one that is so already stays as it is. */
export async function setEnabled(tx: Tx, project: string, id: number, enabled: boolean): Promise<ActionSet> {
  const before = await requireSet(tx.db, project, id);
  return change(tx, before, { ...before, enabled });
}

export async function deleteSet(tx: Tx, project: string, id: number): Promise<void> {
  const before = await requireSet(tx.db, project, id);
  await store.deleteSet(tx, id);
  tx.record({ type: 'actions-deleted', project, preData: setEventData(before) });
}

/** The set, or a 404; also when it is one of another project. */
export async function requireSet(db: Db, project: string, id: number): Promise<ActionSet> {
  const set = await store.findSet(db, id);
  if (set?.project === project) return set;
  throw new Problem('NotFoundError', `The project ${project} has no set of actions ${id}.`);
}

async function change(tx: Tx, before: ActionSet, wanted: WantedSet): Promise<ActionSet> {
  const { id, project } = before;
  const [preData, data] = [setEventData(before), setEventData({ ...wanted, id })];
  const secretsToo = (set: SetAsRecorded) =>
    JSON.stringify([setEventData({ ...set, id }), set.actions.map(({ executionParams }) => executionParams)]);
  if (secretsToo(before) === secretsToo({ ...wanted, id })) return before;
  const begins = wanted.enabled && (!before.enabled || wanted.endpointId !== before.endpointId);
  const sinceSignalId = begins ? await store.newestSignal(tx.db) : before.sinceSignalId;
  await store.putActions(tx, id, before.actions, wanted.actions);
  await store.updateSet(tx, { ...before, ...wanted, id, sinceSignalId, actions: before.actions });
  tx.record({ type: 'actions-updated', project, preData, data });
  return requireSet(tx.db, project, id);
}

type Usual = Omit<WantedSet, 'name' | 'actorId' | 'endpointId' | 'filters' | 'actions'>;

const usual = { description: null, enabled: true, forEach: null, allow: null, guards: {}, shadow: false };

function wantedSet(input: SetInput, before: Usual): WantedSet {
  const { match } = input;
  return {
    project: before.project,
    name: input.name,
    description: input.description === undefined ? before.description : input.description,
    enabled: input.enabled ?? before.enabled,
    actorId: input.actorId,
    endpointId: match.sourceId,
    filters: match.payload,
    forEach: match.forEach === undefined ? before.forEach : match.forEach,
    allow: input.allow === undefined ? before.allow : input.allow,
    guards: input.guards === undefined ? before.guards : (input.guards ?? {}),
    shadow: input.shadow ?? before.shadow,
    sinceSignalId: before.sinceSignalId,
    createdAt: before.createdAt,
    createdByUserId: before.createdByUserId,
    actions: input.actions
      .map(({ action, sortOrder, executionParams }) => ({ action, sortOrder, executionParams }))
      .toSorted((a, b) => a.sortOrder - b.sortOrder),
  };
}

/** What is sent, with the secrets of the actions there are where `*****` stands for them. */
function withSecrets(input: SetInput, before: ActionSet['actions']): SetInput {
  const shown = ({ action, executionParams }: Pick<InputAction, 'action' | 'executionParams'>) =>
    JSON.stringify(Object.entries(shownParameters(action, executionParams)).sort());
  const earlier = (sent: InputAction) => {
    const alike = before.filter(({ action }) => action === sent.action);
    if (sent.id !== undefined) return alike.find(({ id }) => id === sent.id);
    // Actions that were put in another order keep each its own.
    return alike.find((one) => shown(one) === shown(sent)) ?? alike.find((one) => one.sortOrder === sent.sortOrder);
  };
  const actions = input.actions.map((one, index) => {
    const params = earlier(one)?.executionParams;
    const path = `actions.${index}.executionParams`;
    return { ...one, executionParams: withSecretsOf(one.action, one.executionParams, params, path) };
  });
  return { ...input, actions };
}

function nameTaken(project: string, name: string): Problem {
  return new Problem('NameExistsError', `The project ${project} has a set of actions named ${name} already.`, {
    details: [{ message: 'is taken', path: 'name' }],
  });
}
