import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type Banner = Answer<'GET /api/admin/banners'>['banners'][number];

export const bannersQuery = apiQuery('GET /api/admin/banners');
