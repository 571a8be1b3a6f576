import { queryOptions, useQuery } from '@tanstack/react-query';
import { type Answer, api } from './api.ts';

export type Me = Answer<'GET /api/admin/user'>;

/** Who is signed in, and what they may do. */
export const meQuery = queryOptions({
  queryKey: ['GET /api/admin/user'],
  queryFn: () => api('GET /api/admin/user'),
  staleTime: 60_000,
});

/** Where something would be done. */
export interface Place {
  readonly project?: string;
  readonly environment?: string;
}

/** Whether these permissions let their holder do it there; any of the names is enough. */
export function allows(
  permissions: Me['permissions'],
  names: string | readonly string[],
  { project, environment }: Place = {},
): boolean {
  const wanted = typeof names === 'string' ? [names] : names;
  return permissions.some(
    (held) =>
      (held.permission === 'ADMIN' || wanted.includes(held.permission)) &&
      covers(held.project, project) &&
      covers(held.environment, environment),
  );
}

/** Returns whether one of these permissions is held in any project or environment. */
export function holdsSomewhere(permissions: Me['permissions'], names: readonly string[]): boolean {
  return permissions.some((held) => held.permission === 'ADMIN' || names.includes(held.permission));
}

/** What holds everywhere names no place; `*` stands for every one. */
function covers(held: string | undefined, asked: string | undefined): boolean {
  return held === undefined || held === '*' || held === asked;
}

/** Why somebody who holds none of these permissions cannot do it there. */
export function reasonOf(names: string | readonly string[], { environment }: Place = {}): string {
  const wanted = typeof names === 'string' ? names : names.join(' or ');
  return `You need the permission ${wanted}${environment === undefined ? '' : ` in ${environment}`}.`;
}

/** Asks of what the signed-in person may do: what needs no permission, and while that is not known nothing else. */
export function useMay(): (names: string | readonly string[] | undefined, place?: Place) => boolean {
  const { data } = useQuery(meQuery);
  return (names, place) => names === undefined || (data !== undefined && allows(data.permissions, names, place));
}
