import { z } from 'zod';
import { accountColumns, toAccount } from '#features/people/access/index.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Group, GroupView } from './group.ts';

/** The names of a group at the identity provider. */
export const mappingsColumn = jsonColumn<readonly string[]>('user_groups.mappings_sso', z.array(z.string()));

const columns = ['id', 'name', 'description', 'mappings_sso', 'root_role_id', 'created_by', 'created_at'] as const;

/** Returns all groups, or those with `ids`, with members and projects, ordered by name. Takes three statements. */
export async function listGroups(db: Db, ids?: readonly number[]): Promise<GroupView[]> {
  if (ids?.length === 0) return [];
  let groups = db.selectFrom('user_groups').select(columns).orderBy('name').orderBy('id');
  let members = db
    .selectFrom('group_users as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.group_id', 'm.joined_at', 'm.created_by', ...accountColumns])
    .orderBy('m.user_id');
  let projects = db.selectFrom('project_group_roles').select(['group_id', 'project']).distinct().orderBy('project');
  if (ids !== undefined) {
    groups = groups.where('id', 'in', [...ids]);
    members = members.where('m.group_id', 'in', [...ids]);
    projects = projects.where('group_id', 'in', [...ids]);
  }
  const [groupRows, memberRows, projectRows] = await Promise.all([
    groups.execute(),
    members.execute(),
    projects.execute(),
  ]);
  const membersOf = Map.groupBy(memberRows, (row) => row.group_id);
  const projectsOf = Map.groupBy(projectRows, (row) => row.group_id);
  return groupRows.map((row) => ({
    ...toGroup(row),
    members: (membersOf.get(row.id) ?? []).map((member) => ({
      account: toAccount(member),
      joinedAt: member.joined_at,
      createdBy: member.created_by,
    })),
    projects: (projectsOf.get(row.id) ?? []).map(({ project }) => project),
  }));
}

export async function findGroup(db: Db, id: number): Promise<GroupView | undefined> {
  return (await listGroups(db, [id]))[0];
}

export async function findGroupNamed(db: Db, name: string): Promise<Group | undefined> {
  const row = await db.selectFrom('user_groups').select(columns).where('name', '=', name).executeTakeFirst();
  return row && toGroup(row);
}

export async function insertGroup(tx: Tx, group: Omit<Group, 'id'>): Promise<Group> {
  const { id } = await tx.db
    .insertInto('user_groups')
    .values({
      name: group.name,
      description: group.description,
      mappings_sso: mappingsColumn.write(group.mappingsSSO),
      root_role_id: group.rootRole,
      created_by: group.createdBy,
      created_at: group.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...group, id };
}

export async function updateGroupRow(tx: Tx, group: Group): Promise<void> {
  await tx.db
    .updateTable('user_groups')
    .set({
      name: group.name,
      description: group.description,
      mappings_sso: mappingsColumn.write(group.mappingsSSO),
      root_role_id: group.rootRole,
    })
    .where('id', '=', group.id)
    .execute();
}

/** Deletes a group. The database also deletes its members and project roles (on delete cascade). */
export async function deleteGroupRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('user_groups').where('id', '=', id).execute();
}

export async function addMembers(tx: Tx, groupId: number, userIds: readonly number[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'group_users',
      columns: [
        ['group_id', 'integer'],
        ['user_id', 'integer'],
        ['created_by', 'text'],
        ['joined_at', 'integer'],
      ],
    },
    userIds.map((userId) => [groupId, userId, tx.by.actor.name, tx.now]),
  );
}

export async function removeMembers(tx: Tx, groupId: number, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await tx.db.deleteFrom('group_users').where('group_id', '=', groupId).where('user_id', 'in', userIds).execute();
}

function toGroup(row: Row<'user_groups'>): Group {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    mappingsSSO: mappingsColumn.parse(row.mappings_sso, row.id),
    rootRole: row.root_role_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}
