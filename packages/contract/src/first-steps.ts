import { z } from 'zod';
import { defineRoutes, ok } from './route.ts';

export const firstStepRoutes = defineRoutes('Operations', {
  'GET /api/admin/first-steps': {
    summary: 'Get which first steps of a new installation have happened',
    access: { permission: 'ADMIN' },
    answers: ok({
      flag: z
        .object({ project: z.string(), name: z.string() })
        .nullable()
        .meta({ description: 'The flag that was created last, and is not archived' }),
      applicationConnected: z.boolean().meta({
        description: 'An SDK has reported, or a backend or frontend token has been used',
      }),
      signalReceived: z.boolean().meta({ description: 'A signal is stored, test or not' }),
      actionRan: z.boolean().meta({ description: 'A run of an action, not in shadow mode, has succeeded' }),
    }),
  },
});
