import { z } from 'zod';
import { inProject } from './features.ts';
import { defineRoutes, json } from './route.ts';

const creators = json(z.array(z.object({ id: z.number().int(), name: z.string() })));
const reading = { tag: 'Features', access: 'signed-in', answers: { 200: creators }, emits: [] } as const;

export const flagCreatorRoutes = defineRoutes({
  'GET /api/admin/flag-creators': { ...reading, summary: 'Everyone who created a flag that is there', errors: [] },
  'GET /api/admin/projects/:projectId/flag-creators': {
    ...reading,
    summary: 'Everyone who created a flag of a project',
    params: inProject,
    errors: [404],
  },
});
