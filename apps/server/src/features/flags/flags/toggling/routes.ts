import type { featureEnvironmentRoutes } from '@yardarm/contract';
import {
  getFeature,
  type PlanReader,
  presentFeature,
  presentFeatureEnvironment,
} from '#features/flags/reading/index.ts';
import { notInEnvironment } from '#features/flags/states/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Database } from '#storage/database.ts';
import { setFeatureEnabled, setFeaturesEnabled } from './commands.ts';

export function featureEnvironmentHandlers(
  { db, write }: Database,
  readPlans: PlanReader,
): Handlers<typeof featureEnvironmentRoutes> {
  const view = (caller: Identity, params: { readonly projectId: string; readonly featureName: string }) =>
    getFeature(db, { project: params.projectId, featureName: params.featureName }, caller.actor, readPlans);
  return {
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment': async ({
      params,
      caller,
    }) => {
      const state = (await view(caller, params)).environments.find(
        (environment) => environment.environment === params.environment,
      );
      if (state === undefined) throw notInEnvironment(params.featureName, params.environment);
      return { body: presentFeatureEnvironment(state) };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on': async (input) => {
      const { params, query, author, caller } = input;
      const { projectId: project, featureName, environment } = params;
      const activateDisabledStrategies = query.shouldActivateDisabledStrategies === 'true';
      await write(author, (tx) =>
        setFeatureEnabled(tx, { project, featureName, environment, enabled: true, activateDisabledStrategies }),
      );
      return { body: presentFeature(await view(caller, params)) };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/off': async (input) => {
      const { params, author, caller } = input;
      const { projectId: project, featureName, environment } = params;
      await write(author, (tx) => setFeatureEnabled(tx, { project, featureName, environment, enabled: false }));
      return { body: presentFeature(await view(caller, params)) };
    },
    'POST /api/admin/projects/:projectId/bulk_features/environments/:environment/on': async (input) => {
      const { params, query, body, author } = input;
      await write(author, (tx) =>
        setFeaturesEnabled(tx, {
          project: params.projectId,
          featureNames: body.features,
          environment: params.environment,
          enabled: true,
          activateDisabledStrategies: query.shouldActivateDisabledStrategies === 'true',
        }),
      );
    },
    'POST /api/admin/projects/:projectId/bulk_features/environments/:environment/off': async (input) => {
      const { params, body, author } = input;
      const { projectId: project, environment } = params;
      await write(author, (tx) =>
        setFeaturesEnabled(tx, { project, featureNames: body.features, environment, enabled: false }),
      );
    },
  };
}
