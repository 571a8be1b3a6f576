import {
  type featureArchiveRoutes,
  type featureRoutes,
  fieldsIn,
  flagFields,
  patchedFeatureSchema,
} from '@yardarm/contract';
import { type Feature, requireFeatureNamed } from '#features/flags/feature/index.ts';
import {
  featuresAsJsonText,
  getFeature,
  type PlanReader,
  pagesOfFeatures,
  presentFeature,
} from '#features/flags/reading/index.ts';
import { requireNamed, requireProject } from '#features/projects/projects/index.ts';
import type { Handlers } from '#http/handler.ts';
import { applyPatch, type PatchOperation } from '#http/json-patch.ts';
import { parse } from '#http/parse.ts';
import { requirePermission, requireVisible } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import { Problem } from '#kernel/errors.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import { archiveFeatures, deleteFeatures, reviveFeatures } from './archive-commands.ts';
import * as commands from './commands.ts';
import { moveFeature } from './move-commands.ts';

/** Returns the handlers of the flag routes. `limit` is the maximum number of active flags of the instance. */
export function featureHandlers(
  { db, write }: Database,
  limit: number,
  readPlans: PlanReader,
): Handlers<typeof featureRoutes> {
  const present = async (caller: Identity, project: string, featureName: string) =>
    presentFeature(await getFeature(db, { project, featureName }, caller.actor, readPlans));
  return {
    'GET /api/admin/projects/:projectId/features': async ({ params, caller }) => {
      await requireProject(db, params.projectId);
      const pages = pagesOfFeatures(db, params.projectId, caller.actor.userId);
      return { body: jsonList({ version: 1 }, 'features', featuresAsJsonText(pages)) };
    },
    'POST /api/admin/projects/:projectId/features': async ({ params, body, author, caller }) => {
      const { name, project } = await write(author, (tx) =>
        commands.createFeature(tx, limit, { ...body, project: params.projectId }),
      );
      return { body: await present(caller, project, name), headers: { location: name } };
    },
    'GET /api/admin/projects/:projectId/features/:featureName': async ({ params, caller }) => ({
      body: await present(caller, params.projectId, params.featureName),
    }),
    'PUT /api/admin/projects/:projectId/features/:featureName': async ({ params, body, author, caller }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => commands.updateFeature(tx, ref, body));
      return { body: await present(caller, params.projectId, params.featureName) };
    },
    'PATCH /api/admin/projects/:projectId/features/:featureName': async ({ params, body, author, caller }) => {
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => commands.editFeature(tx, ref, (feature) => applyFeaturePatch(feature, body)));
      return { body: await present(caller, params.projectId, params.featureName) };
    },
    'DELETE /api/admin/projects/:projectId/features/:featureName': async ({ params, author }) => {
      const refs = { project: params.projectId, featureNames: [params.featureName] };
      await write(author, (tx) => archiveFeatures(tx, refs));
    },
    'POST /api/admin/projects/:projectId/features/:featureName/clone': async ({ params, body, author, caller }) => {
      const source = { project: params.projectId, featureName: params.featureName };
      const { name, project } = await write(author, (tx) =>
        commands.cloneFeature(tx, limit, {
          ...source,
          name: body.name,
          replaceGroupId: body.replaceGroupId ?? true,
        }),
      );
      return { body: await present(caller, project, name) };
    },
    'POST /api/admin/projects/:projectId/features/:featureName/changeProject': async (input) => {
      const { params, body, author, caller } = input;
      requirePermission(caller, 'MOVE_FEATURE_TOGGLE', { project: body.newProjectId });
      const ref = { project: params.projectId, featureName: params.featureName };
      await write(author, (tx) => moveFeature(tx, ref, body.newProjectId));
    },
    'POST /api/admin/features/validate': async ({ body, caller }) => {
      await commands.requireFreeName(db, caller, body.name);
      if (typeof body.projectId === 'string') {
        requireVisible(caller, body.projectId);
        requireNamed(await requireProject(db, body.projectId), body.name);
      }
    },
  };
}

export function featureArchiveHandlers({ write, db }: Database, limit: number): Handlers<typeof featureArchiveRoutes> {
  return {
    'POST /api/admin/projects/:projectId/archive': async ({ params, body, author }) => {
      const refs = { project: params.projectId, featureNames: body.features };
      await write(author, (tx) => archiveFeatures(tx, refs));
    },
    'POST /api/admin/projects/:projectId/revive': async ({ params, body, author }) => {
      const refs = { project: params.projectId, featureNames: body.features };
      await write(author, (tx) => reviveFeatures(tx, limit, refs));
    },
    'POST /api/admin/projects/:projectId/delete': async ({ params, body, author }) => {
      const refs = { project: params.projectId, featureNames: body.features };
      await write(author, (tx) => deleteFeatures(tx, refs));
    },
    'POST /api/admin/projects/:projectId/stale': async ({ params, body, author }) => {
      const refs = { project: params.projectId, featureNames: body.features, stale: body.stale };
      await write(author, (tx) => commands.markStale(tx, refs));
    },
    'POST /api/admin/archive/revive/:featureName': async ({ params, author, caller }) => {
      const { project, name } = await requireFeatureNamed(db, params.featureName, caller);
      requirePermission(caller, 'UPDATE_FEATURE', { project });
      await write(author, (tx) => reviveFeatures(tx, limit, { project, featureNames: [name] }));
    },
    'DELETE /api/admin/archive/:featureName': async ({ params, author, caller }) => {
      const { project, name } = await requireFeatureNamed(db, params.featureName, caller);
      requirePermission(caller, 'DELETE_FEATURE', { project });
      await write(author, (tx) => deleteFeatures(tx, { project, featureNames: [name] }));
    },
  };
}

/** Applies a JSON Patch to a flag. Only the description can be removed. */
function applyFeaturePatch(feature: Feature, operations: readonly PatchOperation[]): commands.FeatureChange {
  if (operations.some(({ path }) => path === '/variants' || path.startsWith('/variants/'))) {
    throw new Problem(
      'OperationDeniedError',
      'Variants belong to an environment of the flag. Change them with PUT …/features/:featureName/environments/:environment/variants.',
    );
  }
  const document = applyPatch(fieldsIn(flagFields, feature), operations);
  return { description: null, ...parse(patchedFeatureSchema, document) };
}
