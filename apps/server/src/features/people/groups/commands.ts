import { requireRootRole, unknownAccounts } from '#features/people/access/index.ts';
import { badField, Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type GroupView, groupEventData } from './group.ts';
import * as store from './store.ts';

export interface GroupInput {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly mappingsSSO?: readonly string[] | undefined;
  readonly rootRole?: number | null | undefined;
  /** The ids of the members. */
  readonly userIds?: readonly number[] | undefined;
}

/** Creates a group. Rejects with 400 for an unknown user or root role, and with 409 when the name is taken. */
export async function createGroup(tx: Tx, input: GroupInput): Promise<GroupView> {
  await requireFreeName(tx.db, input.name);
  const userIds = await knownUsers(tx.db, input.userIds ?? []);
  const group = await store.insertGroup(tx, {
    name: input.name,
    description: input.description ?? null,
    mappingsSSO: distinct(input.mappingsSSO ?? []),
    rootRole: await knownRole(tx.db, input.rootRole ?? null),
    createdBy: tx.by.actor.name,
    createdAt: tx.now,
  });
  await store.addMembers(tx, group.id, userIds);
  tx.record({ type: 'group-created', data: groupEventData(group, userIds) });
  return requireGroup(tx.db, group.id);
}

/**
 * Updates the given fields of a group. Records an event only when a field changes. Rejects as {@link createGroup} does.
 */
export async function updateGroup(tx: Tx, id: number, input: GroupInput): Promise<GroupView> {
  const before = await requireGroup(tx.db, id);
  if (input.name !== before.name) await requireFreeName(tx.db, input.name);
  const userIdsBefore = before.members.map(({ account }) => account.id);
  const userIds = input.userIds === undefined ? userIdsBefore : await knownUsers(tx.db, input.userIds);
  const after = {
    ...before,
    name: input.name,
    description: input.description === undefined ? before.description : input.description,
    mappingsSSO: input.mappingsSSO === undefined ? before.mappingsSSO : distinct(input.mappingsSSO),
    rootRole: input.rootRole === undefined ? before.rootRole : await knownRole(tx.db, input.rootRole),
  };
  const [preData, data] = [groupEventData(before, userIdsBefore), groupEventData(after, userIds)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  await store.updateGroupRow(tx, after);
  const [had, has] = [new Set(userIdsBefore), new Set(userIds)];
  await store.removeMembers(tx, id, [...had.difference(has)]);
  await store.addMembers(tx, id, [...has.difference(had)]);
  tx.record({ type: 'group-updated', preData, data });
  return requireGroup(tx.db, id);
}

/** Deletes a group; its members lose the roles that they had through it. */
export async function deleteGroup(tx: Tx, id: number): Promise<void> {
  const group = await requireGroup(tx.db, id);
  await store.deleteGroupRow(tx, id);
  const userIds = group.members.map(({ account }) => account.id);
  tx.record({ type: 'group-deleted', preData: groupEventData(group, userIds) });
}

/** Returns the group. Rejects with 404 when there is none with this id. */
export async function requireGroup(db: Db, id: number): Promise<GroupView> {
  const group = await store.findGroup(db, id);
  if (group === undefined) throw new Problem('NotFoundError', `There is no group ${id}.`);
  return group;
}

async function requireFreeName(db: Db, name: string): Promise<void> {
  if ((await store.findGroupNamed(db, name)) === undefined) return;
  throw new Problem('NameExistsError', `A group named ${name} exists already. Choose another name.`, {
    details: [{ message: 'is taken', path: 'name' }],
  });
}

async function knownRole(db: Db, rootRole: number | null): Promise<number | null> {
  return rootRole === null ? null : (await requireRootRole(db, rootRole)).id;
}

/** Returns the user ids without duplicates, in ascending order. Rejects with 400 when a user does not exist. */
async function knownUsers(db: Db, userIds: readonly number[]): Promise<number[]> {
  const unknown = await unknownAccounts(db, userIds);
  if (unknown.length > 0) throw badField('users', `contains unknown user ids: ${unknown.join(', ')}`);
  return [...new Set(userIds)].toSorted((a, b) => a - b);
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}
