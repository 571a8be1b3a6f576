import { z } from 'zod';
import { defineRoutes, json, ok } from './route.ts';

const creators = z.array(z.object({ id: z.number().int(), name: z.string() }));

export const flagCreatorRoutes = defineRoutes('Features', {
  'GET /api/admin/flag-creators': {
    access: 'signed-in',
    summary: 'List the users who created existing flags',
    answers: ok({ flagCreators: creators, total: z.number().int() }),
  },
  'GET /api/admin/projects/:projectId/flag-creators': {
    access: 'signed-in',
    summary: 'List the users who created flags of a project',
    answers: { 200: json(creators) },
  },
});
