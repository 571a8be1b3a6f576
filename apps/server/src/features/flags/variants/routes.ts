import { type featureVariantRoutes, patchedVariantsSchema } from '@yardarm/contract';
import type { FeatureRef } from '#features/flags/feature/index.ts';
import type { Handlers } from '#http/handler.ts';
import { applyPatch } from '#http/json-patch.ts';
import { parse } from '#http/parse.ts';
import { requirePermission } from '#http/permission.ts';
import { firstOf } from '#kernel/lists.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { changeVariants, listVariantsOf } from './commands.ts';
import { presentFlagVariant } from './present.ts';

const listOf = async (db: Db, ref: FeatureRef & { readonly environment: string }) => ({
  body: { version: 1 as const, variants: (await listVariantsOf(db, ref)).map(presentFlagVariant) },
});

export function featureVariantHandlers({ db, write }: Database): Handlers<typeof featureVariantRoutes> {
  return {
    'GET /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants': async (input) => {
      const { projectId: project, featureName, environment } = input.params;
      return listOf(db, { project, featureName, environment });
    },
    'PUT /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants': async (input) => {
      const { params, body, author } = input;
      const { projectId: project, featureName, environment } = params;
      await write(author, (tx) =>
        changeVariants(tx, { project, featureName, environments: [environment] }, '', () => body),
      );
      return listOf(db, { project, featureName, environment });
    },
    'PATCH /api/admin/projects/:projectId/features/:featureName/environments/:environment/variants': async (input) => {
      const { params, body, author } = input;
      const { projectId: project, featureName, environment } = params;
      await write(author, (tx) =>
        changeVariants(tx, { project, featureName, environments: [environment] }, '', (current) =>
          parse(patchedVariantsSchema, applyPatch(current, body)),
        ),
      );
      return listOf(db, { project, featureName, environment });
    },
    'PUT /api/admin/projects/:projectId/features/:featureName/variants-batch': async (input) => {
      const { params, body, author, caller } = input;
      const { projectId: project, featureName } = params;
      const { environments, variants } = body;
      // The path names no environment, so the handler checks the permission in each.
      for (const environment of environments) {
        requirePermission(caller, 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', { project, environment });
      }
      const place = { project, featureName, environments };
      await write(author, (tx) => changeVariants(tx, place, 'variants', () => variants));
      return listOf(db, { project, featureName, environment: firstOf(environments) });
    },
  };
}
