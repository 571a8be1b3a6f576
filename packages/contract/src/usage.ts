import { z } from 'zod';
import { defineRoutes, ok, stream } from './route.ts';
import { dateTime } from './scalars.ts';

const version = { version: z.literal(1), maturity: z.literal('stable') };
const counted = { environment: z.string(), timestamp: dateTime, yes: z.number().int(), no: z.number().int() };

/** The default of `hoursBack`, also used for invalid values (docs/spec#usage-metrics). */
const usual = 48;
const longest = 2184;
const hoursBack = z
  .string()
  .optional()
  .transform((text) => {
    const hours = /^\d{1,4}$/.test(text ?? '') ? Number(text) : usual;
    return hours >= 1 && hours <= longest ? hours : usual;
  });

export const usageRoutes = defineRoutes('Usage', {
  'GET /api/admin/client-metrics/features/:name': {
    summary: 'Get the evaluations of a flag in the last hour by environment, and its applications',
    description: 'SDKs report about once a minute. Counts are added up by the hour and are available within seconds.',
    access: 'signed-in',
    answers: ok({
      ...version,
      featureName: z.string(),
      lastHourUsage: z.array(z.object(counted)),
      seenApplications: z.array(z.string()),
    }),
  },
  'GET /api/admin/client-metrics/features/:name/raw': {
    summary: 'Get the evaluations of a flag by hour, environment and application',
    access: 'signed-in',
    query: z.object({
      hoursBack: hoursBack.meta({
        description:
          'Hours to look back, 1 to 2184; default 48. Above 48, counts more than three days old are returned by the day',
      }),
    }),
    answers: {
      200: stream(
        z.object({
          ...version,
          data: z.array(
            z.object({
              ...counted,
              featureName: z.string(),
              appName: z.string(),
              variants: z.record(z.string(), z.number().int()),
            }),
          ),
        }),
      ),
    },
  },
});
