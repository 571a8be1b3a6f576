import type { changeControlRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import type { Database } from '../../storage/database.ts';
import { acknowledgeUse, listUses, mayBreakGlass } from './break-glass.ts';
import { listReview, setReview } from './commands.ts';
import type { ReviewPolicy } from './guard.ts';

export function changeControlHandlers(
  { db, write }: Database,
  policy: ReviewPolicy,
): Handlers<typeof changeControlRoutes> {
  return {
    'GET /api/admin/projects/:projectId/change-requests/config': async ({ params, caller }) => ({
      status: 200,
      body: (await listReview(db, params.projectId)).map((one) => ({
        ...one,
        changeRequestEnabled: one.requiredApprovals !== null,
        directChanges: one.requiredApprovals === null ? 'open' : bypassOf(caller, params.projectId, one.environment),
      })),
    }),
    'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config': async (input) => {
      const { params, body, caller, request } = input;
      const required = body.changeRequestsEnabled ? body.requiredApprovals || undefined : null;
      await write(authorOf(caller, request), (tx) => setReview(tx, params.projectId, params.environment, required));
      return { status: 204 };
    },
    'GET /api/admin/change-requests/break-glass': async ({ caller }) => ({
      status: 200,
      body: { uses: await listUses(db, caller) },
    }),
    'POST /api/admin/change-requests/break-glass/:id/acknowledge': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => acknowledgeUse(tx, params.id, caller));
      return { status: 204 };
    },
  };

  /** How the caller may change flags directly where changes are reviewed. */
  function bypassOf(caller: Identity, project: string, environment: string) {
    const place = { project, environment };
    if (!policy.binding && caller.can('SKIP_CHANGE_REQUEST', place)) return 'skip' as const;
    return mayBreakGlass(caller, [place]) ? ('break-glass' as const) : ('refused' as const);
  }
}
