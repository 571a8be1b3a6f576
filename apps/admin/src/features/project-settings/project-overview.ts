import type { Answer } from '../../lib/api.ts';

/** The overview of a project. */
export type ProjectOverview = Answer<'GET /api/admin/projects/:projectId/overview'>;
