import type { changeControlRoutes } from '@yardarm/contract';
import { findSegments } from '#features/flags/segments/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { acknowledgeUse, listUses, mayBreakGlass, type Place } from './break-glass.ts';
import { listReview, setRequiredApprovals } from './commands.ts';
import type { ReviewPolicy } from './review-policy.ts';
import { reviewedUses } from './store.ts';

export function changeControlHandlers(
  { db, write }: Database,
  policy: ReviewPolicy,
): Handlers<typeof changeControlRoutes> {
  return {
    'GET /api/admin/projects/:projectId/change-requests/config': async ({ params, caller }) => ({
      body: (await listReview(db, params.projectId)).map((row) => ({
        ...row,
        changeRequestEnabled: row.requiredApprovals !== null,
        directChanges: bypassOf(
          caller,
          policy,
          row.requiredApprovals === null ? [] : [{ project: params.projectId, environment: row.environment }],
        ),
      })),
    }),
    'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config': async (input) => {
      const { params, body, author } = input;
      const required = body.changeRequestsEnabled ? body.requiredApprovals || undefined : null;
      await write(author, (tx) => setRequiredApprovals(tx, params.projectId, params.environment, required));
    },
    'GET /api/admin/segments/:id/change-requests/config': async ({ params, caller }) => {
      const [segment] = await findSegments(db, [params.id]);
      if (segment === undefined || (segment.project !== null && caller.hidden.has(segment.project))) {
        throw new Problem('NotFoundError', `There is no segment ${params.id}.`);
      }
      const uses = await reviewedUses(db, [segment.id]);
      return {
        body: {
          changeRequestEnabled: uses.length > 0,
          directChanges: bypassOf(caller, policy, uses),
          environments: uses
            .filter(({ project }) => !caller.hidden.has(project))
            .map(({ segmentId: _, ...use }) => use),
        },
      };
    },
    'GET /api/admin/change-requests/break-glass': async ({ caller }) => ({
      body: { uses: await listUses(db, caller) },
    }),
    'POST /api/admin/change-requests/break-glass/:id/acknowledge': async ({ params, body, author, caller }) =>
      write(author, (tx) => acknowledgeUse(tx, params.id, body, caller, policy)),
  };
}

/** Returns how a caller may make a direct change that affects these reviewed environments. */
function bypassOf(caller: Identity, { binding }: ReviewPolicy, places: readonly Place[]) {
  if (places.length === 0) return 'open';
  if (!binding && places.every((place) => caller.can('SKIP_CHANGE_REQUEST', place))) return 'skip';
  return mayBreakGlass(caller, places) ? 'break-glass' : 'refused';
}
