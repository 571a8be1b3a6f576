import type { Answer, RouteKey } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type TagType = Answer<'GET /api/admin/tag-types'>['tagTypes'][number];
export type Tag = Answer<'GET /api/admin/tags'>['tags'][number];

export const tagTypesQuery = apiQuery('GET /api/admin/tag-types', {}, ({ tagTypes }) => tagTypes);

export const tagsQuery = apiQuery('GET /api/admin/tags', {}, ({ tags }) => tags);

/** The routes to invalidate after a change of tags. */
export const changedByTags: readonly RouteKey[] = [
  'GET /api/admin/tag-types',
  'GET /api/admin/tags',
  'GET /api/admin/search/features',
  'GET /api/admin/projects/:projectId/features/:featureName',
];
