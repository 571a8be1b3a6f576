import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Input } from '../../lib/api.ts';
import type { DayFilter, FlagSearch } from './flag-search.ts';

export type FlagRow = Answer<'GET /api/admin/search/features'>['features'][number];

export const pageSize = 50;

/** A page of the flags of a project, favorites first; of those that are archived when asked. */
export function flagPageQuery(projectId: string, { page = 1, ...search }: FlagSearch, archived = false) {
  const slice = { limit: pageSize, offset: (page - 1) * pageSize };
  return queryOptions({
    queryKey: ['GET /api/admin/search/features', projectId, search, archived, page],
    queryFn: () => api('GET /api/admin/search/features', { query: asQuery(projectId, search, archived, slice) }),
  });
}

/** {@link flagPageQuery}, with what was found before shown until it is there. */
export function flagSearchQuery(projectId: string, search: FlagSearch, archived = false) {
  return { ...flagPageQuery(projectId, search, archived), placeholderData: keepPreviousData };
}

/** How many flags can be changed together. */
export const mostAtOnce = 1000;

/** The names of the flags that are found, as many as can be changed together. */
export async function foundNames(projectId: string, search: FlagSearch): Promise<readonly string[]> {
  const query = asQuery(projectId, search, false, { limit: mostAtOnce, offset: 0 });
  return (await api('GET /api/admin/search/features', { query })).features.map(({ name }) => name);
}

function asQuery(
  projectId: string,
  { query, state, type, stage, tag, creator, created, seen, sort = 'name', desc }: FlagSearch,
  archived: boolean,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): NonNullable<Input<'GET /api/admin/search/features'>['query']> {
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
