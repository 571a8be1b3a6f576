import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type ApiToken = Answer<'GET /api/admin/api-tokens'>['tokens'][number];

/** Returns the query for all tokens, or for those of a project. */
export function tokensQuery(projectId: string | undefined) {
  return projectId === undefined
    ? apiQuery('GET /api/admin/api-tokens', {}, ({ tokens }) => tokens)
    : apiQuery('GET /api/admin/projects/:projectId/api-tokens', { params: { projectId } }, ({ tokens }) => tokens);
}

export const tokenRoutes = ['GET /api/admin/api-tokens', 'GET /api/admin/projects/:projectId/api-tokens'] as const;

/** The permissions to create a token; any one is enough. */
export const createPermissions = ['ADMIN', 'CREATE_CLIENT_API_TOKEN', 'CREATE_FRONTEND_API_TOKEN'] as const;

/** Returns the permissions to delete or change a token of a type; any one is enough. */
export function permissionsFor(change: 'DELETE' | 'UPDATE', { type }: Pick<ApiToken, 'type'>): readonly string[] {
  if (type === 'replica' || type === 'admin') return ['ADMIN'];
  return ['ADMIN', `${change}_${type === 'frontend' ? 'FRONTEND' : 'CLIENT'}_API_TOKEN`];
}
