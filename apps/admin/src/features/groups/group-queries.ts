import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

export type UserGroup = Answer<'GET /api/admin/groups'>['groups'][number];

export const groupsQuery = apiQuery('GET /api/admin/groups', {}, ({ groups }) => groups);
