import { z } from 'zod';
import { defineRoutes, ok } from './route.ts';
import { dateTime } from './scalars.ts';

const unknownFlagSchema = z.object({
  name: z.string(),
  lastSeenAt: dateTime.meta({ description: 'The time of the last evaluation by any application' }),
  lastEventAt: dateTime.nullable().meta({ description: 'The time of the last event of a flag of this name' }),
  reports: z
    .array(
      z.object({
        appName: z.string(),
        environments: z.array(z.object({ environment: z.string(), seenAt: dateTime })),
      }),
    )
    .meta({ description: 'Same as `applications`, grouped by application' }),
  applications: z
    .array(z.object({ appName: z.string(), environment: z.string(), lastSeenAt: dateTime }))
    .meta({ description: 'Applications that evaluate it, with environments, most recent first' }),
});

export const unknownFlagRoutes = defineRoutes('Applications', {
  'GET /api/admin/metrics/unknown-flags': {
    summary: 'List the unknown flags that applications evaluate, most recent first',
    description:
      'An unknown flag is removed from the list some days after its last evaluation. Reporters can invent names, so only the latest few thousand are stored.',
    access: 'signed-in',
    answers: ok({ unknownFlags: z.array(unknownFlagSchema) }),
  },
});
