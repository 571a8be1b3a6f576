import type { featureTypeRoutes, flagCreatorRoutes } from '@yardarm/contract';
import type { FeatureType } from '#features/flags/feature/index.ts';
import { listCreators, presentCreator } from '#features/flags/reading/index.ts';
import { requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import { listFeatureTypes, setLifetimeDays } from './store.ts';

export function featureTypeHandlers({ db, write }: Database): Handlers<typeof featureTypeRoutes> {
  return {
    'GET /api/admin/feature-types': async () => ({ body: { version: 1, types: await listFeatureTypes(db) } }),
    'PUT /api/admin/feature-types/:id/lifetime': async ({ params, body, author }) => {
      const type = await write(author, (tx) => changeLifetime(tx, params.id, body.lifetimeDays));
      return { body: type };
    },
  };
}

/** Lists the accounts that created flags. */
export function flagCreatorHandlers({ db }: Database): Handlers<typeof flagCreatorRoutes> {
  return {
    'GET /api/admin/flag-creators': async ({ caller }) => {
      const flagCreators = (await listCreators(db, caller)).map(presentCreator);
      return { body: { flagCreators, total: flagCreators.length } };
    },
    'GET /api/admin/projects/:projectId/flag-creators': async ({ params }) => {
      await requireProject(db, params.projectId);
      return { body: (await listCreators(db, { project: params.projectId })).map(presentCreator) };
    },
  };
}

/**
 * Sets the expected lifetime of flags of a type in days; null or 0 for no limit. Rejects with 404 for an unknown type.
 */
async function changeLifetime(tx: Tx, id: string, days: number | null): Promise<FeatureType> {
  const before = (await listFeatureTypes(tx.db)).find((type) => type.id === id);
  if (before === undefined) throw new Problem('NotFoundError', `There is no flag type ${id}.`);
  const after = { ...before, lifetimeDays: days || null };
  if (after.lifetimeDays === before.lifetimeDays) return before;
  await setLifetimeDays(tx, after);
  tx.record({ type: 'feature-type-updated', preData: before, data: after });
  return after;
}
