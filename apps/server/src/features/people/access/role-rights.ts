import { noProject } from '#http/permission.ts';
import type { Author } from '#kernel/actor.ts';
import type { Db } from '#storage/tx.ts';
import { builtInGrants, editorRoleId, memberRoleId } from './role.ts';
import { grantsOfRoles } from './role-store.ts';

/** Returns whether the author holds every permission that a root role grants. */
export async function holdsAllOfRootRole(db: Db, { can = () => false }: Author, roleId: number): Promise<boolean> {
  const granted = (await grantsOfRoles(db, [roleId])).get(roleId) ?? [];
  // An Editor is also a Member of every open project (ADR 10), which a list of root permissions does not show.
  const inOpenProjects = roleId === editorRoleId ? builtInGrants(memberRoleId) : [];
  return (
    granted.every(({ permission }) => can(permission)) &&
    inOpenProjects.every(({ permission }) => can(permission, { project: noProject }))
  );
}
