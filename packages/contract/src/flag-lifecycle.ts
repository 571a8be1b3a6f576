import { z } from 'zod';
import { inFlag, stageSchema } from './flags.ts';
import { defineRoutes, empty, json } from './route.ts';
import { filledText } from './text.ts';

const tag = 'Features';
const flags = z.number().int();

export const featureLifecycleRoutes = defineRoutes({
  'GET /api/admin/lifecycle/count': {
    tag,
    summary: 'How many flags are in each stage of their life',
    access: 'signed-in',
    answers: {
      200: json(z.object({ initial: flags, preLive: flags, live: flags, completed: flags, archived: flags })),
    },
    errors: [],
    emits: [],
  },
  'GET /api/admin/projects/:projectId/features/:featureName/lifecycle': {
    tag,
    summary: 'The stages of its life that a flag is and has been in, and since when',
    description:
      'Pre-live since an SDK has evaluated it outside production, live since one has in an environment of the type `production`. A flag that is revived is back in the stage it was archived in.',
    access: 'signed-in',
    params: inFlag,
    answers: { 200: json(z.array(stageSchema)) },
    errors: [404],
    emits: [],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/complete': {
    tag,
    summary: 'Mark a flag as completed: what it was for is decided',
    access: { permission: 'UPDATE_FEATURE' },
    params: inFlag,
    body: z.object({ status: z.enum(['kept', 'discarded']), statusValue: filledText(255).optional() }),
    answers: { 200: empty },
    errors: [404],
    emits: ['feature-completed'],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete': {
    tag,
    summary: 'Put a flag back into the stage it was completed in',
    access: { permission: 'UPDATE_FEATURE' },
    params: inFlag,
    answers: { 200: empty },
    errors: [404],
    emits: ['feature-uncompleted'],
  },
});
