import { z } from 'zod';
import { defineRoutes, ok } from './route.ts';
import { dateTime } from './scalars.ts';

/** The maximum number of applications in the connections of a flag. */
export const mostConnections = 20;

/** An application counts as recent when its last report is at most this many minutes old. */
export const recentMinutes = 10;

const connectionSchema = z.object({
  appName: z.string(),
  environment: z.string(),
  sdkVersion: z.string().nullable().meta({ description: 'The SDK as it reports itself, usually `name:version`' }),
  lastSeenAt: dateTime.nullable().meta({
    description: 'Last registration or report of usage; null when its instances have been deleted by retention',
  }),
  evaluatedAt: dateTime.nullable().meta({
    description: 'Last report of an evaluation of this flag, precise to 10 minutes; null when it has reported none',
  }),
  usesProject: z.boolean().meta({
    description:
      'Whether it has reported an evaluation of a flag of this project, in any environment. False: it has reported no evaluation of an existing flag yet, so it may be an application of another project',
  }),
});

const tokenUseSchema = z.object({
  environment: z.string(),
  type: z.enum(['client', 'backend', 'frontend']),
  seenAt: dateTime,
});

export const connectionRoutes = defineRoutes('Applications', {
  'GET /api/admin/projects/:projectId/features/:featureName/connections': {
    summary: 'Get which applications have evaluated a flag, and which of its project have reported recently',
    description:
      'For a person who connects an application and waits for its first request. SDKs register when they start and report usage about once a minute; reports are stored within seconds, uses of tokens within 30 seconds.',
    access: 'signed-in',
    answers: ok({
      applications: z.array(connectionSchema).meta({
        description: `At most ${mostConnections}: first those that evaluate the flag, then those that have reported in the last ${recentMinutes} minutes and may be of the project: that have evaluated another flag of the project, or no flag yet; each group newest first`,
      }),
      tokens: z.array(tokenUseSchema).meta({
        description: 'The last use of an API token of the project, by environment and type',
      }),
    }),
  },
});
