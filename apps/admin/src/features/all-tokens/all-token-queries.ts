import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type AnyToken = Answer<'GET /api/admin/tokens'>['tokens'][number];

export const allTokensRoute = 'GET /api/admin/tokens';

export const allTokensQuery = queryOptions({
  queryKey: [allTokensRoute],
  queryFn: async () => (await api(allTokensRoute)).tokens,
});
