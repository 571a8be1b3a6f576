import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, type RouteKey } from '../../lib/api.ts';

export type TagType = Answer<'GET /api/admin/tag-types'>['tagTypes'][number];
export type Tag = Answer<'GET /api/admin/tags'>['tags'][number];

export const tagTypesQuery = queryOptions({
  queryKey: ['GET /api/admin/tag-types'],
  queryFn: async () => (await api('GET /api/admin/tag-types')).tagTypes,
});

export const tagsQuery = queryOptions({
  queryKey: ['GET /api/admin/tags'],
  queryFn: async () => (await api('GET /api/admin/tags')).tags,
});

/** The routes to invalidate after a change of tags. */
export const changedByTags: readonly RouteKey[] = [
  'GET /api/admin/tag-types',
  'GET /api/admin/tags',
  'GET /api/admin/search/features',
  'GET /api/admin/projects/:projectId/features/:featureName',
];
