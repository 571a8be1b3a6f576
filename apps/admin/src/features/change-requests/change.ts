import { api, type Input } from '../../lib/api.ts';

type AskedFor = Input<'POST /api/admin/projects/:projectId/environments/:environment/change-requests'>['body'];

/** A change as a change request names it. */
export type Change = Exclude<AskedFor, readonly unknown[]>;

/** A change of a flag in an environment; it can be made at once or be asked for. */
export type FlagChange = Extract<
  Change,
  {
    readonly action:
      | 'updateEnabled'
      | 'addStrategy'
      | 'updateStrategy'
      | 'deleteStrategy'
      | 'reorderStrategy'
      | 'patchVariant';
  }
>;

/** Where a flag is changed. */
export interface FlagPlace {
  readonly projectId: string;
  readonly environment: string;
}

/** Makes a change at once. */
export async function makeChange(place: FlagPlace, change: FlagChange): Promise<void> {
  const params = { ...place, featureName: change.feature };
  switch (change.action) {
    case 'updateEnabled':
      return switchFlag(params, change.payload);
    case 'addStrategy':
      await api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies', {
        params,
        body: change.payload,
      });
      return;
    case 'updateStrategy': {
      const { id: strategyId, ...body } = change.payload;
      await api(
        'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
        { params: { ...params, strategyId }, body },
      );
      return;
    }
    case 'deleteStrategy':
      await api(
        'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
        { params: { ...params, strategyId: change.payload.id } },
      );
      return;
    case 'reorderStrategy':
      await api(
        'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/set-sort-order',
        { params, body: change.payload },
      );
      return;
    case 'patchVariant':
      await api('PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants', {
        params,
        body: change.payload.variants,
      });
  }
}

async function switchFlag(
  params: FlagPlace & { readonly featureName: string },
  {
    enabled,
    shouldActivateDisabledStrategies,
  }: { enabled: boolean; shouldActivateDisabledStrategies?: boolean | undefined },
): Promise<void> {
  if (!enabled) {
    await api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off', { params });
    return;
  }
  await api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on', {
    params,
    query: shouldActivateDisabledStrategies === true ? { shouldActivateDisabledStrategies: 'true' } : {},
  });
}

/** Asks for changes, all or none: they join the draft that one has there, or begin one. Answers its number. */
export async function askForChanges(place: FlagPlace, changes: readonly Change[]): Promise<number> {
  const [alone, ...others] = changes;
  const { id } = await api('POST /api/admin/projects/:projectId/environments/:environment/change-requests', {
    params: { ...place },
    // Alone, so that what is wrong with it is told by its own paths.
    body: alone !== undefined && others.length === 0 ? alone : [...changes],
  });
  return id;
}
