import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { defaultStrategyBody, defaultStrategySchema } from './strategies.ts';
import { nameParam } from './text.ts';

export const defaultStrategyRoutes = defineRoutes({
  'POST /api/admin/projects/:projectId/environments/:environment/default-strategy': {
    tag: 'Projects',
    summary: 'Set the strategy that flags get when they are switched on without an active one',
    description:
      'Without one they get a gradual rollout to everyone. What `parameters` lacks is filled in when a flag gets it: `groupId` by the name of the flag, `stickiness` by what the project says.',
    access: { permission: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'] },
    params: z.object({ projectId: nameParam, environment: nameParam }),
    body: defaultStrategyBody,
    answers: { 200: json(defaultStrategySchema) },
    errors: [404],
    emits: ['default-strategy-updated'],
  },
});
