import { defineRoutes, json } from './route.ts';
import { defaultStrategyBody, defaultStrategySchema } from './strategies.ts';

export const defaultStrategyRoutes = defineRoutes('Projects', {
  'POST /api/admin/projects/:projectId/environments/:environment/default-strategy': {
    summary: 'Set the default strategy: flags get it when they are switched on without an active strategy',
    description:
      'Without a default strategy, flags get a gradual rollout to everyone. Missing `parameters` are filled in when a flag gets the strategy: `groupId` with the name of the flag, `stickiness` with the default of the project.',
    access: { permission: ['UPDATE_PROJECT', 'PROJECT_DEFAULT_STRATEGY_WRITE'] },
    body: defaultStrategyBody,
    answers: { 200: json(defaultStrategySchema) },
    emits: ['default-strategy-updated'],
  },
});
