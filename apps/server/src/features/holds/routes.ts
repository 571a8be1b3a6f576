import type { holdRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { requireFeature } from '../flags/index.ts';
import { requireProject } from '../projects/index.ts';
import { placeLease, releaseLeaseOf } from './commands.ts';
import type { LeaseEffect } from './hold.ts';
import { keyOfPerson } from './ownership.ts';
import { presentListed } from './present.ts';
import { leasesOfProject, listLeases } from './store.ts';

/** `limit` is how many leases there may be on a flag in an environment. */
export function leaseHandlers({ db, write }: Database, limit: number): Handlers<typeof holdRoutes> {
  return {
    'GET /api/admin/projects/:projectId/leases': async ({ params, query }) => {
      await requireProject(db, params.projectId);
      const { leases, total } = await leasesOfProject(db, params.projectId, query);
      return { status: 200, body: { leases: leases.map(presentListed), total } };
    },
    'GET /api/admin/projects/:projectId/features/:featureName/leases': async ({ params }) => {
      const { name } = await requireFeature(db, { project: params.projectId, featureName: params.featureName });
      return { status: 200, body: { leases: (await listLeases(db, name)).map(presentListed) } };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases': async (input) => {
      const { params, body, caller, request } = input;
      const { projectId: project, featureName, environment } = params;
      const { effect, rollout = 0, reason, expiresAt } = body;
      const key = keyOfPerson(caller, body.key);
      const how: LeaseEffect = effect === 'rollout' ? { effect, rollout } : { effect };
      const wanted = { project, featureName, environment, holder: { kind: 'person', key }, reason, expiresAt } as const;
      const { isNew, listed } = await write(authorOf(caller, request), async (tx) => {
        const placed = await placeLease(tx, limit, { ...wanted, ...how });
        return { ...placed, listed: await listLeases(tx.db, featureName, placed.lease.id) };
      });
      const [lease] = listed.map(presentListed);
      if (lease === undefined) throw new Error(`the lease on ${featureName} that was placed is not there`);
      return { status: isNew ? 201 : 200, body: lease };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId': async (
      input,
    ) => {
      const { params, caller, request } = input;
      const { projectId: project, featureName, environment, leaseId } = params;
      await write(authorOf(caller, request), async (tx) => {
        await requireFeature(tx.db, { project, featureName });
        if (await releaseLeaseOf(tx, { project, featureName, environment }, leaseId)) return;
        throw new Problem('NotFoundError', `No lease ${leaseId} holds the flag ${featureName} in ${environment}.`);
      });
      return { status: 200 };
    },
  };
}
