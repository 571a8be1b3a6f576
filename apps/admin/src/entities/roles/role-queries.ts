import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type Role = Answer<'GET /api/admin/roles'>['roles'][number];
export type RoleWithPermissions = Answer<'GET /api/admin/roles/:roleId'>;
export type Permissions = Answer<'GET /api/admin/permissions'>['permissions'];
export type Permission = Permissions['root'][number];

export const rolesQuery = queryOptions({
  queryKey: ['GET /api/admin/roles'],
  queryFn: async () => (await api('GET /api/admin/roles')).roles,
});

export const permissionsQuery = queryOptions({
  queryKey: ['GET /api/admin/permissions'],
  queryFn: async () => (await api('GET /api/admin/permissions')).permissions,
});

export function roleQuery(roleId: number) {
  return queryOptions({
    queryKey: ['GET /api/admin/roles/:roleId', roleId],
    queryFn: () => api('GET /api/admin/roles/:roleId', { params: { roleId } }),
  });
}

/** Returns whether a role is assigned in projects instead of the whole instance. */
export function isOfProjects({ type }: Pick<Role, 'type'>): boolean {
  return type === 'project' || type === 'custom';
}

/** Returns whether a role is built in and cannot be changed. */
export function isBuiltIn({ type }: Pick<Role, 'type'>): boolean {
  return type === 'root' || type === 'project';
}
