import type { changeControlRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Database } from '../../storage/database.ts';
import { listReview, setReview } from './commands.ts';

export function changeControlHandlers({ db, write }: Database): Handlers<typeof changeControlRoutes> {
  return {
    'GET /api/admin/projects/:projectId/change-requests/config': async ({ params }) => ({
      status: 200,
      body: (await listReview(db, params.projectId)).map((one) => ({
        ...one,
        changeRequestEnabled: one.requiredApprovals !== null,
      })),
    }),
    'PUT /api/admin/projects/:projectId/environments/:environment/change-requests/config': async (input) => {
      const { params, body, caller, request } = input;
      const required = body.changeRequestsEnabled ? body.requiredApprovals || undefined : null;
      await write(authorOf(caller, request), (tx) => setReview(tx, params.projectId, params.environment, required));
      return { status: 204 };
    },
  };
}
