import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Integration = Answer<'GET /api/admin/addons'>['addons'][number];
export type Provider = Answer<'GET /api/admin/addons'>['providers'][number];
export type Health = Answer<'GET /api/admin/integrations/health'>['integrations'][number];

/** The integrations and the available providers. */
export const integrationsQuery = apiQuery('GET /api/admin/addons');

/** The health of all integrations. */
export const healthQuery = apiQuery('GET /api/admin/integrations/health');

/** The routes whose answers change when deliveries change. */
export const deliveryRoutes = [
  'GET /api/admin/integrations/health',
  'GET /api/admin/integrations/:id/deliveries',
  'GET /api/admin/integrations/:id/deliveries/:deliveryId',
] as const;
