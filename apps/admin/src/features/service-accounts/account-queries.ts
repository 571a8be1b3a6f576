import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type ServiceAccounts = Answer<'GET /api/admin/service-account'>;
export type ServiceAccount = ServiceAccounts['serviceAccounts'][number];

export const serviceAccountsQuery = apiQuery('GET /api/admin/service-account');
