import { queryOptions } from '@tanstack/react-query';
import { type Answer, api, type RouteKey } from '../../lib/api.ts';

export type Template = Answer<'GET /api/admin/release-plan-templates'>[number];

/** The routes to invalidate after a change of release templates. */
export const changedByTemplates: readonly RouteKey[] = [
  'GET /api/admin/release-plan-templates',
  'GET /api/admin/release-plan-templates/:templateId',
];

/** The archived release templates, by name. */
export const archivedTemplatesQuery = queryOptions({
  queryKey: ['GET /api/admin/release-plan-templates', 'archived'],
  queryFn: () => api('GET /api/admin/release-plan-templates', { query: { archived: 'true' } }),
});

/** A release template. */
export const templateQuery = (templateId: string) =>
  queryOptions({
    queryKey: ['GET /api/admin/release-plan-templates/:templateId', templateId],
    queryFn: () => api('GET /api/admin/release-plan-templates/:templateId', { params: { templateId } }),
  });
