import { z } from 'zod';
import { stageSchema } from './flags.ts';
import { defineRoutes, empty, json, ok } from './route.ts';
import { filledText } from './text.ts';

const flags = z.number().int();

export const featureLifecycleRoutes = defineRoutes('Features', {
  'GET /api/admin/lifecycle/count': {
    summary: 'Count the flags in each lifecycle stage',
    access: 'signed-in',
    answers: ok({ initial: flags, preLive: flags, live: flags, completed: flags, archived: flags }),
  },
  'GET /api/admin/projects/:projectId/features/:featureName/lifecycle': {
    summary: 'List the lifecycle stages of a flag with the times it entered them',
    description:
      'A flag is pre-live after its first evaluation in an environment of another type than `production`, and live after its first evaluation in one of the type `production`. A revived flag returns to the stage it was archived in.',
    access: 'signed-in',
    answers: { 200: json(z.array(stageSchema)) },
  },
  'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/complete': {
    summary: 'Mark a flag as completed, with the decision to keep or discard the feature',
    access: { permission: 'UPDATE_FEATURE' },
    body: z.object({ status: z.enum(['kept', 'discarded']), statusValue: filledText(255).optional() }),
    answers: { 200: empty },
    emits: ['feature-completed'],
  },
  'POST /api/admin/projects/:projectId/features/:featureName/lifecycle/uncomplete': {
    summary: 'Return a completed flag to its previous stage',
    access: { permission: 'UPDATE_FEATURE' },
    answers: { 200: empty },
    emits: ['feature-uncompleted'],
  },
});
