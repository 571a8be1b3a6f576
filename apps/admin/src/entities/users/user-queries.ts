import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Users = Answer<'GET /api/admin/user-admin'>;
export type Person = Users['users'][number];
export type RootRole = Users['rootRoles'][number];
export type InactiveUser = Answer<'GET /api/admin/user-admin/inactive'>['inactiveUsers'][number];

export const usersQuery = apiQuery('GET /api/admin/user-admin');

export const inactiveUsersQuery = apiQuery(
  'GET /api/admin/user-admin/inactive',
  {},
  ({ inactiveUsers }) => inactiveUsers,
);

interface Named {
  readonly id: number;
  readonly name?: string | null | undefined;
  readonly username?: string | null | undefined;
  readonly email?: string | undefined;
}

/** Returns the name of a user. */
export function nameOf({ id, name, username, email }: Named): string {
  return name ?? username ?? email ?? `User ${id}`;
}

/** Returns root roles as options. */
export function roleChoices(roles: readonly RootRole[] = []) {
  return roles.map(({ id, name }) => ({ value: `${id}`, label: name }));
}
