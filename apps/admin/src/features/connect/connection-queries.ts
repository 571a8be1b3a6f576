import { queryOptions } from '@tanstack/react-query';
import type { FlagParams } from '../../entities/flags/flag-queries.ts';
import type { Answer } from '../../lib/api.ts';
import { apiQuery } from '../../lib/api-query.ts';

const route = 'GET /api/admin/projects/:projectId/features/:featureName/connections';

export type Connections = Answer<typeof route>;
export type Connection = Connections['applications'][number];

/** The applications that have evaluated a flag, and those that report and may be of its project. */
export const connectionsQuery = ({ projectId, featureName }: FlagParams) =>
  queryOptions({ ...apiQuery(route, { params: { projectId, featureName } }), staleTime: 0 });
