import { type Db, sql } from '../../storage/tx.ts';
import { ownerRoleId } from '../access/index.ts';

/** Who may do everything in a project; the system where nobody does. */
export type ProjectOwner =
  | { readonly ownerType: 'user'; readonly name: string; readonly email: string | null; readonly imageUrl: string }
  | { readonly ownerType: 'group'; readonly name: string }
  | { readonly ownerType: 'system' };

/** The owners of projects that have any, or of one, people before groups: two statements. */
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
  for (const { project: of, name, username, email } of users) {
    add(of, { ownerType: 'user', name: name ?? username ?? email ?? '', email, imageUrl: '' });
  }
  for (const { project: of, name } of groups) add(of, { ownerType: 'group', name });
  return owners;
}

/** When something last happened in each project, or in one: one statement, and one look into an index for each. */
export async function lastChanges(db: Db, project?: string): Promise<ReadonlyMap<string, number>> {
  let query = db
    .selectFrom('projects as p')
    .select([
      'p.id',
      sql<number | null>`(select e.created_at from events as e where e.project = p.id order by e.id desc limit 1)`.as(
        'at',
      ),
    ]);
  if (project !== undefined) query = query.where('p.id', '=', project);
  const rows = await query.execute();
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, at]])));
}
