import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type Banner = Answer<'GET /api/admin/banners'>['banners'][number];

export const bannersQuery = queryOptions({
  queryKey: ['GET /api/admin/banners'],
  queryFn: () => api('GET /api/admin/banners'),
});
