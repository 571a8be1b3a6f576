import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type AnyToken = Answer<'GET /api/admin/tokens'>['tokens'][number];

export const allTokensRoute = 'GET /api/admin/tokens';

export const allTokensQuery = apiQuery(allTokensRoute, {}, ({ tokens }) => tokens);
