import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Answer } from './api.ts';
import { apiQuery } from './api-query.ts';

export type Me = Answer<'GET /api/admin/user'>;

/** The signed-in user and the user's permissions. */
export const meQuery = queryOptions({ ...apiQuery('GET /api/admin/user'), staleTime: 60_000 });

/** The project and environment that a permission is needed in. */
export interface Place {
  readonly project?: string;
  readonly environment?: string;
}

/** Returns whether `permissions` include one of the named permissions for a project and environment. */
export function allows(
  permissions: Me['permissions'],
  names: string | readonly string[],
  { project, environment }: Place = {},
): boolean {
  const required = typeof names === 'string' ? [names] : names;
  return permissions.some(
    (held) =>
      (held.permission === 'ADMIN' || required.includes(held.permission)) &&
      covers(held.project, project) &&
      covers(held.environment, environment),
  );
}

/** Returns whether `permissions` include one of the named permissions in any project or environment. */
export function holdsSomewhere(permissions: Me['permissions'], names: readonly string[]): boolean {
  return permissions.some((held) => held.permission === 'ADMIN' || names.includes(held.permission));
}

/** Returns whether a permission's project or environment covers the required one. Absent and `*` cover all. */
function covers(held: string | undefined, required: string | undefined): boolean {
  return held === undefined || held === '*' || held === required;
}

/** The beginning of each sentence that says which permission is missing. */
export const reasonStart = 'You need the permission ';

/** Returns the sentence that says which permission is missing: "You need the permission UPDATE_FEATURE." */
export function reasonOf(names: string | readonly string[], { environment }: Place = {}): string {
  const required = typeof names === 'string' ? names : names.join(' or ');
  return `${reasonStart}${required}${environment === undefined ? '' : ` in ${environment}`}.`;
}

/**
 * Returns a function that tells whether the signed-in user has one of the given permissions. It returns true when no
 * permission is given, and false while the permissions are loading.
 */
export function useMay(): (names: string | readonly string[] | undefined, place?: Place) => boolean {
  const { data } = useQuery(meQuery);
  return (names, place) => names === undefined || (data !== undefined && allows(data.permissions, names, place));
}
