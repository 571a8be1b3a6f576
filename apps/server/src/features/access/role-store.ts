import { badField } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';
import type { RootRole } from './role.ts';

export async function listRootRoles(db: Db): Promise<RootRole[]> {
  return db
    .selectFrom('roles')
    .select(['id', 'name', 'type', 'description'])
    .where('type', 'in', ['root', 'root-custom'])
    .orderBy('id')
    .execute();
}

/** The root role of that id or name; a 400 when there is none. */
export async function requireRootRole(db: Db, reference: number | string): Promise<RootRole> {
  const roles = await listRootRoles(db);
  const role = roles.find((candidate) => candidate.id === reference || candidate.name === reference);
  if (role === undefined)
    throw badField('rootRole', `must be one of ${roles.map(({ id, name }) => `${id} (${name})`).join(', ')}`);
  return role;
}

export function presentRootRole(role: RootRole) {
  return { ...role, project: null };
}
