import type { Answer, RouteKey } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Template = Answer<'GET /api/admin/release-plan-templates'>[number];

/** The routes to invalidate after a change of release templates. */
export const changedByTemplates: readonly RouteKey[] = [
  'GET /api/admin/release-plan-templates',
  'GET /api/admin/release-plan-templates/:templateId',
];

/** The archived release templates, by name. */
export const archivedTemplatesQuery = apiQuery('GET /api/admin/release-plan-templates', {
  query: { archived: 'true' },
});

/** A release template. */
export const templateQuery = (templateId: string) =>
  apiQuery('GET /api/admin/release-plan-templates/:templateId', { params: { templateId } });
