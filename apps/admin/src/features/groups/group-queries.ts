import { queryOptions } from '@tanstack/react-query';
import { type Answer, api } from '../../lib/api.ts';

export type UserGroup = Answer<'GET /api/admin/groups'>['groups'][number];

export const groupsQuery = queryOptions({
  queryKey: ['GET /api/admin/groups'],
  queryFn: async () => (await api('GET /api/admin/groups')).groups,
});
