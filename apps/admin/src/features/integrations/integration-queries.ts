import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type Integration = Answer<'GET /api/admin/addons'>['addons'][number];
export type Provider = Answer<'GET /api/admin/addons'>['providers'][number];

/** The integrations and the available providers. */
export const integrationsQuery = queryOptions({
  queryKey: ['GET /api/admin/addons'],
  queryFn: () => api('GET /api/admin/addons'),
});
