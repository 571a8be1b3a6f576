import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type ServiceAccounts = Answer<'GET /api/admin/service-account'>;
export type ServiceAccount = ServiceAccounts['serviceAccounts'][number];

export const serviceAccountsQuery = queryOptions({
  queryKey: ['GET /api/admin/service-account'],
  queryFn: () => api('GET /api/admin/service-account'),
});
