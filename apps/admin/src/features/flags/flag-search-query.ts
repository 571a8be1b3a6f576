import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Input } from '../../lib/api.ts';
import type { DayFilter, FlagSearch } from './flag-search.ts';

export type FlagRow = Answer<'GET /api/admin/search/features'>['features'][number];

export const pageSize = 50;

/** The search of a flag table: active or archived flags of a project. */
export interface FlagListQuery {
  readonly projectId: string;
  readonly search: FlagSearch;
  readonly archived?: boolean;
}

/** Returns the query for a page of matching flags, favorites first. Pages are counted from 1. */
export function flagPageQuery(listQuery: FlagListQuery, page: number) {
  const { projectId, search, archived = false } = listQuery;
  const slice = { limit: pageSize, offset: (page - 1) * pageSize };
  return queryOptions({
    queryKey: ['GET /api/admin/search/features', projectId, search, archived, page],
    queryFn: () => api('GET /api/admin/search/features', { query: asQuery(listQuery, slice) }),
  });
}

/** Returns the query for the first page. While it loads, the result of the previous search stays visible. */
export function flagSearchQuery(listQuery: FlagListQuery) {
  return { ...flagPageQuery(listQuery, 1), placeholderData: keepPreviousData };
}

/** The maximum number of flags in a bulk change. */
export const maxBulkFlags = 1000;

/** Loads the names of matching flags, up to the limit of a bulk change. */
export async function loadMatchingNames(listQuery: FlagListQuery): Promise<readonly string[]> {
  const query = asQuery(listQuery, { limit: maxBulkFlags, offset: 0 });
  return (await api('GET /api/admin/search/features', { query })).features.map(({ name }) => name);
}

function asQuery(
  { projectId, search, archived = false }: FlagListQuery,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): NonNullable<Input<'GET /api/admin/search/features'>['query']> {
  const { query, state, type, stage, tag, creator, created, seen, held, sort = 'name', desc } = search;
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
    ...(tag === undefined ? {} : { tag: `INCLUDE:${tag.replaceAll(',', '\\,')}` }),
    ...(creator === undefined ? {} : { createdBy: `IS:${creator}` }),
    ...(created === undefined ? {} : { createdAt: asDate(created) }),
    ...(seen === undefined ? {} : { lastSeenAt: asDate(seen) }),
    ...(held === undefined ? {} : { held: 'IS:true' }),
    ...(archived ? { archived: 'IS:true' } : {}),
  };
}

const asDate = (day: DayFilter) => day.replace('after:', 'IS_ON_OR_AFTER:').replace('before:', 'IS_BEFORE:');
