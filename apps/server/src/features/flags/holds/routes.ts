import type { holdRoutes } from '@yardarm/contract';
import { requireFeature } from '#features/flags/feature/index.ts';
import { requireLower } from '#features/flags/flags/index.ts';
import type { HeldMilestone, Hold } from '#features/flags/held-state/index.ts';
import { inMaintenance, isInMaintenance } from '#features/platform/maintenance/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import { placeHold, releaseHoldById } from './commands.ts';
import type { RequestedEffect } from './hold.ts';
import { keyOfPerson, lowers, requireMayHold } from './ownership.ts';
import { presentHeld, presentListed } from './present.ts';
import { holdsOfProject, holdsOutside, listHolds } from './store.ts';

/** Returns the milestone of a flag's plan that a person holds the flag at; rejects when there is none. */
export type FindMilestone = (
  tx: Tx,
  place: { readonly project: string; readonly featureName: string; readonly environment: string },
  wanted: string,
) => Promise<HeldMilestone>;

/** Returns the handlers of the hold routes. `limit` is the maximum number of holds on a flag in an environment. */
export function holdHandlers(
  { db, write }: Database,
  limit: number,
  findMilestone: FindMilestone,
): Handlers<typeof holdRoutes> {
  return {
    'GET /api/admin/leases': async ({ query, caller }) => {
      const { holds, total } = await holdsOutside(db, caller.hidden, query);
      return { body: { leases: holds.map((hold) => presentHeld(hold, caller)), total } };
    },
    'GET /api/admin/projects/:projectId/leases': async ({ params, query, caller }) => {
      await requireProject(db, params.projectId);
      const { holds, total } = await holdsOfProject(db, params.projectId, query);
      return { body: { leases: holds.map((hold) => presentListed(hold, caller)), total } };
    },
    'GET /api/admin/projects/:projectId/features/:featureName/leases': async ({ params, caller }) => {
      const { name } = await requireFeature(db, { project: params.projectId, featureName: params.featureName });
      const holds = await listHolds(db, name);
      return { body: { leases: holds.map((hold) => presentListed(hold, caller)) } };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases': async (input) => {
      const { params, body, author, caller } = input;
      const { projectId: project, featureName, environment } = params;
      const { reason, expiresAt } = body;
      const place = { project, featureName, environment };
      const mayOnlyLower = requireMayHold(caller, place, body);
      const key = keyOfPerson(caller, body.key);
      const { isNew, listed } = await write(author, async (tx) => {
        const requested = await requestedEffect(tx, place, body, findMilestone);
        const locked = await isInMaintenance(tx.db);
        if (locked && !lowers(body)) throw inMaintenance();
        const hold = () =>
          placeHold(tx, limit, { ...place, ...requested, holder: { kind: 'person', key }, reason, expiresAt });
        const placed = mayOnlyLower || locked ? await requireLower(tx, place, hold) : await hold();
        return { ...placed, listed: await listHolds(tx.db, featureName, placed.hold.id) };
      });
      const [hold] = listed.map((placed) => presentListed(placed, caller));
      if (hold === undefined) throw new Error(`the hold just placed on ${featureName} in ${environment} is missing`);
      return { status: isNew ? 201 : 200, body: hold };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/leases/:leaseId': async (
      input,
    ) => {
      const { params, author } = input;
      const { projectId: project, featureName, environment, leaseId } = params;
      await write(author, async (tx) => {
        await requireFeature(tx.db, { project, featureName });
        if (await releaseHoldById(tx, { project, featureName, environment }, leaseId)) return;
        throw new Problem('NotFoundError', `The flag ${featureName} has no hold ${leaseId} in ${environment}.`);
      });
    },
  };
}

async function requestedEffect(
  tx: Tx,
  place: Parameters<FindMilestone>[1],
  { effect, rollout = 0, milestone = '' }: Requested,
  findMilestone: FindMilestone,
): Promise<RequestedEffect> {
  if (effect === 'milestone') return { effect, milestone: await findMilestone(tx, place, milestone) };
  return effect === 'rollout' ? { effect, rollout } : { effect };
}

interface Requested {
  readonly effect: Hold['effect'];
  readonly rollout?: number | undefined;
  readonly milestone?: string | undefined;
}
