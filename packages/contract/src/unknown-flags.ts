import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { dateTime } from './scalars.ts';

const unknownFlagSchema = z.object({
  name: z.string(),
  lastSeenAt: dateTime.meta({ description: 'When it was last evaluated, by any of the applications' }),
  lastEventAt: dateTime.nullable().meta({ description: 'When something was last recorded of a flag of this name' }),
  reports: z
    .array(
      z.object({
        appName: z.string(),
        environments: z.array(z.object({ environment: z.string(), seenAt: dateTime })),
      }),
    )
    .meta({ description: 'As `applications`, by application' }),
  applications: z
    .array(z.object({ appName: z.string(), environment: z.string(), lastSeenAt: dateTime }))
    .meta({ description: 'Who evaluates it and where, the last first' }),
});

export const unknownFlagRoutes = defineRoutes({
  'GET /api/admin/metrics/unknown-flags': {
    tag: 'Applications',
    summary: 'Flags that applications evaluate and that do not exist, the last evaluated first',
    description:
      'A name that is not evaluated any more is forgotten after some days. Names are made up by whoever reports, so only the last few thousand are kept.',
    access: 'signed-in',
    answers: { 200: json(z.object({ unknownFlags: z.array(unknownFlagSchema) })) },
    errors: [],
    emits: [],
  },
});
