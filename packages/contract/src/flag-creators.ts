import { z } from 'zod';
import { inProject } from './flags.ts';
import { defineRoutes, json } from './route.ts';

const creators = z.array(z.object({ id: z.number().int(), name: z.string() }));
const reading = { tag: 'Features', access: 'signed-in', emits: [] } as const;

export const flagCreatorRoutes = defineRoutes({
  'GET /api/admin/flag-creators': {
    ...reading,
    summary: 'List the users who created existing flags',
    answers: { 200: json(z.object({ flagCreators: creators, total: z.number().int() })) },
    errors: [],
  },
  'GET /api/admin/projects/:projectId/flag-creators': {
    ...reading,
    summary: 'List the users who created flags of a project',
    params: inProject,
    answers: { 200: json(creators) },
    errors: [404],
  },
});
