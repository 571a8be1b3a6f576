import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Input } from '../../lib/api.ts';
import type { DayFilter, FlagSearch } from './flag-search.ts';

export type FlagRow = Answer<'GET /api/admin/search/features'>['features'][number];

export const pageSize = 50;

/** The flags of a project that are looked for: those in use, or those that are archived. */
export interface Sought {
  readonly projectId: string;
  readonly search: FlagSearch;
  readonly archived?: boolean;
}

/** A page of the flags that are found, from 1; favorites first. */
export function flagPageQuery(sought: Sought, page: number) {
  const { projectId, search, archived = false } = sought;
  const slice = { limit: pageSize, offset: (page - 1) * pageSize };
  return queryOptions({
    queryKey: ['GET /api/admin/search/features', projectId, search, archived, page],
    queryFn: () => api('GET /api/admin/search/features', { query: asQuery(sought, slice) }),
  });
}

/** The first page, with what was found before shown until it is there. */
export function flagSearchQuery(sought: Sought) {
  return { ...flagPageQuery(sought, 1), placeholderData: keepPreviousData };
}

/** How many flags can be changed together. */
export const mostAtOnce = 1000;

/** The names of the flags that are found, as many as can be changed together. */
export async function foundNames(sought: Sought): Promise<readonly string[]> {
  const query = asQuery(sought, { limit: mostAtOnce, offset: 0 });
  return (await api('GET /api/admin/search/features', { query })).features.map(({ name }) => name);
}

function asQuery(
  { projectId, search, archived = false }: Sought,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): NonNullable<Input<'GET /api/admin/search/features'>['query']> {
  const { query, state, type, stage, tag, creator, created, seen, sort = 'name', desc } = search;
  return {
    project: `IS:${projectId}`,
    limit: String(limit),
    offset: String(offset),
    sortBy: sort,
    sortOrder: desc === true ? 'desc' : 'asc',
    favoritesFirst: 'true',
    ...(query === undefined ? {} : { query }),
    ...(state === undefined ? {} : { state: `IS:${state}` }),
    ...(type === undefined ? {} : { type: `IS:${type}` }),
    ...(stage === undefined ? {} : { lifecycle: `IS:${stage}` }),
    ...(tag === undefined ? {} : { tag: `INCLUDE:${tag}` }),
    ...(creator === undefined ? {} : { createdBy: `IS:${creator}` }),
    ...(created === undefined ? {} : { createdAt: asDate(created) }),
    ...(seen === undefined ? {} : { lastSeenAt: asDate(seen) }),
    ...(archived ? { archived: 'IS:true' } : {}),
  };
}

const asDate = (day: DayFilter) => day.replace('after:', 'IS_ON_OR_AFTER:').replace('before:', 'IS_BEFORE:');
