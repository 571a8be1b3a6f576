import type { connectionRoutes } from '@yardarm/contract';
import { requireFeature } from '#features/flags/feature/index.ts';
import { tokenUseOf } from '#features/people/api-tokens/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { connectionsOf, presentConnection } from './connections.ts';

/** Returns the handler that returns the applications that have evaluated a flag. */
export function connectionHandlers({ db }: Database, clock: Clock): Handlers<typeof connectionRoutes> {
  return {
    'GET /api/admin/projects/:projectId/features/:featureName/connections': async ({ params }) => {
      const flag = { project: params.projectId, featureName: params.featureName };
      await requireFeature(db, flag);
      const [connections, tokens] = await Promise.all([
        connectionsOf(db, flag, clock.now()),
        tokenUseOf(db, params.projectId),
      ]);
      return {
        status: 200,
        body: {
          applications: connections.map(presentConnection),
          tokens: tokens.map(({ seenAt, ...rest }) => ({ ...rest, seenAt: isoTime(seenAt) })),
        },
      };
    },
  };
}
