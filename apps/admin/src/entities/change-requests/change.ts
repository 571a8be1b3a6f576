import { api, type Input } from '../../lib/api.ts';

type RequestBody = Input<'POST /api/admin/projects/:projectId/environments/:environment/change-requests'>['body'];

/** A change in the format that change requests store: an action with its payload. */
export type Change = Exclude<RequestBody, readonly unknown[]>;

/** A change of a flag in an environment. It can be applied directly or requested. */
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

/** The project and environment of a flag change. */
export interface FlagPlace {
  readonly projectId: string;
  readonly environment: string;
}

/** Applies a change directly. */
export async function makeChange(place: FlagPlace, change: FlagChange, reason: string): Promise<void> {
  const params = { ...place, featureName: change.feature };
  switch (change.action) {
    case 'updateEnabled':
      return switchFlag(params, change.payload, reason);
    case 'addStrategy':
      await api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies', {
        params,
        body: change.payload,
        reason,
      });
      return;
    case 'updateStrategy': {
      const { id: strategyId, ...body } = change.payload;
      await api(
        'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
        { params: { ...params, strategyId }, body, reason },
      );
      return;
    }
    case 'deleteStrategy':
      await api(
        'DELETE /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/:strategyId',
        { params: { ...params, strategyId: change.payload.id }, reason },
      );
      return;
    case 'reorderStrategy':
      await api(
        'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/strategies/set-sort-order',
        { params, body: change.payload, reason },
      );
      return;
    case 'patchVariant':
      await api('PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants', {
        params,
        body: change.payload.variants,
        reason,
      });
  }
}

async function switchFlag(
  params: FlagPlace & { readonly featureName: string },
  {
    enabled,
    shouldActivateDisabledStrategies,
  }: { enabled: boolean; shouldActivateDisabledStrategies?: boolean | undefined },
  reason: string,
): Promise<void> {
  if (!enabled) {
    await api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off', {
      params,
      reason,
    });
    return;
  }
  await api('POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on', {
    params,
    reason,
    query: shouldActivateDisabledStrategies === true ? { shouldActivateDisabledStrategies: 'true' } : {},
  });
}

/**
 * Adds changes to the user's draft change request: all of them, or none on an error. Creates the draft if needed.
 * Returns its id.
 */
export async function requestChanges(place: FlagPlace, changes: readonly Change[]): Promise<number> {
  const [first, ...others] = changes;
  const { id } = await api('POST /api/admin/projects/:projectId/environments/:environment/change-requests', {
    params: { ...place },
    // A single change is sent without a list, so that error paths have no list index.
    body: first !== undefined && others.length === 0 ? first : [...changes],
  });
  return id;
}
