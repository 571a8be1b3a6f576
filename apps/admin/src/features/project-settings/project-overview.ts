import type { Answer } from '../../lib/api.ts';

/** What there is to know of a project. */
export type ProjectOverview = Answer<'GET /api/admin/projects/:projectId/overview'>;
