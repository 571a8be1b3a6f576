import type { featureLinkRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { authorOf } from '#http/request.ts';
import type { Database } from '#storage/database.ts';
import { addLink, removeLink, updateLink } from './commands.ts';

export function featureLinkHandlers({ write }: Database): Handlers<typeof featureLinkRoutes> {
  return {
    'POST /api/admin/projects/:projectId/features/:featureName/link': async ({ params, body, caller, request }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(authorOf(caller, request), (tx) => addLink(tx, ref, body));
      return { status: 204 };
    },
    'PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId': async (input) => {
      const { params, body, caller, request } = input;
      const ref = { project: params.projectId, featureName: params.featureName, id: params.linkId };
      await write(authorOf(caller, request), (tx) => updateLink(tx, ref, body));
      return { status: 204 };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/link/:linkId': async (input) => {
      const { params, caller, request } = input;
      const ref = { project: params.projectId, featureName: params.featureName, id: params.linkId };
      await write(authorOf(caller, request), (tx) => removeLink(tx, ref));
      return { status: 204 };
    },
  };
}
