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

/** What answers differently once tags have changed. */
export const changedByTags: readonly RouteKey[] = [
  'GET /api/admin/tag-types',
  'GET /api/admin/tags',
  'GET /api/admin/search/features',
  'GET /api/admin/projects/:projectId/features/:featureName',
];

/** Those that are offered where a colour is chosen: each can be read beside text in both themes. */
export const swatches = [
  '#0d4a7d',
  '#1f6aac',
  '#00875a',
  '#5b7f00',
  '#b25e00',
  '#b3261e',
  '#a4306f',
  '#6b3fa0',
  '#59616a',
];
