import { ownerRoleId } from '#features/people/access/index.ts';
import type { Db } from '#storage/tx.ts';

/** A user or group with the role Owner in a project; `system` stands for a project without owners. */
export type ProjectOwner =
  | { readonly ownerType: 'user'; readonly name: string; readonly email: string | null; readonly imageUrl: string }
  | { readonly ownerType: 'group'; readonly name: string }
  | { readonly ownerType: 'system' };

/** Returns the owners by project id, users before groups, with two statements; only of `project` when given. */
export async function projectOwners(db: Db, project?: string): Promise<ReadonlyMap<string, readonly ProjectOwner[]>> {
  let people = db
    .selectFrom('project_user_roles as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .where('r.role_id', '=', ownerRoleId)
    .select(['r.project', 'u.name', 'u.username', 'u.email'])
    .orderBy('r.user_id');
  let gathered = db
    .selectFrom('project_group_roles as r')
    .innerJoin('user_groups as g', 'g.id', 'r.group_id')
    .where('r.role_id', '=', ownerRoleId)
    .select(['r.project', 'g.name'])
    .orderBy('g.name');
  if (project !== undefined) {
    people = people.where('r.project', '=', project);
    gathered = gathered.where('r.project', '=', project);
  }
  const [users, groups] = await Promise.all([people.execute(), gathered.execute()]);
  const owners = new Map<string, ProjectOwner[]>();
  const add = (project: string, owner: ProjectOwner) => {
    owners.set(project, [...(owners.get(project) ?? []), owner]);
  };
  for (const { project: owned, name, username, email } of users) {
    add(owned, { ownerType: 'user', name: name ?? username ?? email ?? '', email, imageUrl: '' });
  }
  for (const { project: owned, name } of groups) add(owned, { ownerType: 'group', name });
  return owners;
}
