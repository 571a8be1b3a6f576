import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Role = Answer<'GET /api/admin/roles'>['roles'][number];
export type RoleWithPermissions = Answer<'GET /api/admin/roles/:roleId'>;
export type Permissions = Answer<'GET /api/admin/permissions'>['permissions'];
export type Permission = Permissions['root'][number];

export const rolesQuery = apiQuery('GET /api/admin/roles', {}, ({ roles }) => roles);

export const permissionsQuery = apiQuery('GET /api/admin/permissions', {}, ({ permissions }) => permissions);

export function roleQuery(roleId: number) {
  return apiQuery('GET /api/admin/roles/:roleId', { params: { roleId } });
}

/** Returns whether a role is assigned in projects instead of the whole instance. */
export function isOfProjects({ type }: Pick<Role, 'type'>): boolean {
  return type === 'project' || type === 'custom';
}

/** Returns whether a role is built in and cannot be changed. */
export function isBuiltIn({ type }: Pick<Role, 'type'>): boolean {
  return type === 'root' || type === 'project';
}
