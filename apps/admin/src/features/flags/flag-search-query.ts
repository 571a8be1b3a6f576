import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Input } from '../../lib/api.ts';
import type { FlagSearch } from './flag-search.ts';

export type FlagRow = Answer<'GET /api/admin/search/features'>['features'][number];

export const pageSize = 50;

/** A page of the flags of a project, favorites first; of those that are archived when asked. */
export function flagSearchQuery(projectId: string, search: FlagSearch, archived = false) {
  return queryOptions({
    queryKey: ['GET /api/admin/search/features', projectId, search, archived],
    queryFn: () => api('GET /api/admin/search/features', { query: asQuery(projectId, search, archived) }),
    placeholderData: keepPreviousData,
  });
}

function asQuery(
  projectId: string,
  { query, state, type, stage, tag, sort = 'name', desc, page = 1 }: FlagSearch,
  archived: boolean,
): NonNullable<Input<'GET /api/admin/search/features'>['query']> {
  return {
    project: `IS:${projectId}`,
    limit: String(pageSize),
    offset: String((page - 1) * pageSize),
    sortBy: sort,
    sortOrder: desc === true ? 'desc' : 'asc',
    favoritesFirst: 'true',
    ...(query === undefined ? {} : { query }),
    ...(state === undefined ? {} : { state: `IS:${state}` }),
    ...(type === undefined ? {} : { type: `IS:${type}` }),
    ...(stage === undefined ? {} : { lifecycle: `IS:${stage}` }),
    ...(tag === undefined ? {} : { tag: `INCLUDE:${tag}` }),
    ...(archived ? { archived: 'IS:true' } : {}),
  };
}
