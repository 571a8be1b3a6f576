import { apiQuery } from '../../lib/api-query.ts';

/** The active projects that the user can see. */
export const projectsQuery = apiQuery('GET /api/admin/projects');

/** The archived projects that the user can see. */
export const archivedProjectsQuery = apiQuery('GET /api/admin/projects', { query: { archived: 'true' } });
