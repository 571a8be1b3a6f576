import { queryOptions } from '@tanstack/react-query';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type ContextField = Answer<'GET /api/admin/context'>[number];

/** The context fields that constraints in a project may use: those of the project and those of all projects. */
export const projectContextQuery = (projectId: string) =>
  queryOptions({
    ...apiQuery('GET /api/admin/projects/:projectId/context', { params: { projectId }, query: { include: 'context' } }),
    staleTime: 60_000,
  });
