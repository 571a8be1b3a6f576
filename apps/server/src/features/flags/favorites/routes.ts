import type { favoriteRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Database } from '#storage/database.ts';
import { setFeatureFavorite, setProjectFavorite } from './commands.ts';
import type { Owner } from './store.ts';

export function favoriteHandlers({ write }: Database): Handlers<typeof favoriteRoutes> {
  return {
    'POST /api/admin/projects/:projectId/features/:featureName/favorites': async ({ params, author, caller }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => setFeatureFavorite(tx, ownerOf(caller), ref, true));
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName/favorites': async ({ params, author, caller }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => setFeatureFavorite(tx, ownerOf(caller), ref, false));
    },
    'POST /api/admin/projects/:projectId/favorites': async ({ params, author, caller }) =>
      write(author, (tx) => setProjectFavorite(tx, ownerOf(caller), params.projectId, true)),
    'DELETE /api/admin/projects/:projectId/favorites': async ({ params, author, caller }) =>
      write(author, (tx) => setProjectFavorite(tx, ownerOf(caller), params.projectId, false)),
  };
}

function ownerOf({ actor: { userId }, kind }: Identity): Owner {
  return { userId, accountId: kind === 'user' || kind === 'service-account' ? userId : null };
}
