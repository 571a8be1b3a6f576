import type { overrideRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { endOverride, placeOverride } from './commands.ts';
import { presentOverride } from './present.ts';
import { listOverrides } from './store.ts';

const maxListed = 1000;

export function overrideHandlers({ db, write }: Database, clock: Clock): Handlers<typeof overrideRoutes> {
  return {
    'GET /api/admin/automation-overrides': async ({ caller }) => {
      const overrides = await listOverrides(db, { now: clock.now(), hidden: caller.hidden, limit: maxListed });
      return { body: { overrides: overrides.map(presentOverride) } };
    },
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override': async (
      input,
    ) => {
      const { params, body, author } = input;
      const { projectId: project, featureName, environment } = params;
      const { reason, endsAt = null, holds } = body;
      const override = await write(author, (tx) =>
        placeOverride(tx, { project, featureName, environment, reason, endsAt, holds }),
      );
      return { body: presentOverride(override) };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/automation-override': async (
      input,
    ) => {
      const { params, author } = input;
      const { projectId: project, featureName, environment } = params;
      await write(author, (tx) => endOverride(tx, { project, featureName, environment }));
    },
  };
}
