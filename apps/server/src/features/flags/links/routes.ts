import type { featureLinkRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { addLink, removeLink, updateLink } from './commands.ts';

export function featureLinkHandlers({ write }: Database): Handlers<typeof featureLinkRoutes> {
  return {
    'POST /api/admin/projects/:projectId/features/:featureName/link': async ({ params, body, author }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => addLink(tx, ref, body));
    },
    'PUT /api/admin/projects/:projectId/features/:featureName/link/:linkId': async ({ params, body, author }) => {
      const ref = { project: params.projectId, featureName: params.featureName, id: params.linkId };
      await write(author, (tx) => updateLink(tx, ref, body));
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/link/:linkId': async ({ params, author }) => {
      const ref = { project: params.projectId, featureName: params.featureName, id: params.linkId };
      await write(author, (tx) => removeLink(tx, ref));
    },
  };
}
