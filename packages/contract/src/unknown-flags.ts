import { z } from 'zod';
import { defineRoutes, json } from './route.ts';
import { dateTime } from './scalars.ts';

export const unknownFlagRoutes = defineRoutes({
  'GET /api/admin/metrics/unknown-flags': {
    tag: 'Applications',
    summary: 'Flags that applications evaluate and that there are not, by name',
    description:
      'Names that were reported in the last 7 days, at most some thousands: of more, the last reported. `seenAt` is exact to ten minutes. `lastEventAt` is when a flag of that name last changed, before it was deleted.',
    access: 'signed-in',
    answers: {
      200: json(
        z.object({
          unknownFlags: z.array(
            z.object({
              name: z.string(),
              lastSeenAt: dateTime,
              lastEventAt: dateTime.nullable(),
              reports: z.array(
                z.object({
                  appName: z.string(),
                  environments: z.array(z.object({ environment: z.string(), seenAt: dateTime })),
                }),
              ),
            }),
          ),
        }),
      ),
    },
    errors: [],
    emits: [],
  },
});
