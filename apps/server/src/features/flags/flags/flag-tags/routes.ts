import type { featureTagRoutes } from '@yardarm/contract';
import { type FeatureRef, type FeatureRefs, listTags, requireFeatureNamed } from '#features/flags/feature/index.ts';
import { withColors } from '#features/flags/tags/index.ts';
import type { Handlers } from '#http/handler.ts';
import { requirePermission } from '#http/permission.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Database } from '#storage/database.ts';
import { changeTags, removeTag } from './commands.ts';

export function featureTagHandlers({ db, write }: Database): Handlers<typeof featureTagRoutes> {
  /** Checks the permission in the flag's project, because the path names no project. */
  const requireChangeable = async (featureName: string, caller: Identity): Promise<FeatureRef> => {
    const { project } = await requireFeatureNamed(db, featureName, caller);
    requirePermission(caller, 'UPDATE_FEATURE', { project });
    return { project, featureName };
  };
  const tagsOf = async (featureName: string) => withColors(db, await listTags(db, featureName));
  return {
    'GET /api/admin/features/:featureName/tags': async ({ params, caller }) => {
      const { name } = await requireFeatureNamed(db, params.featureName, caller);
      return { body: { version: 1, tags: await tagsOf(name) } };
    },
    'POST /api/admin/features/:featureName/tags': async ({ params, body, author, caller }) => {
      const refs = toRefs(await requireChangeable(params.featureName, caller));
      const change = { added: [body], removed: [], fieldOf: () => 'type' };
      const [tag] = await write(author, async (tx) => {
        await changeTags(tx, refs, change);
        return withColors(tx.db, [body]);
      });
      return { body: tag ?? { ...body, color: null } };
    },
    'PUT /api/admin/features/:featureName/tags': async ({ params, body, author, caller }) => {
      const ref = await requireChangeable(params.featureName, caller);
      const fieldOf = (index: number) => `addedTags.${index}.type`;
      await write(author, (tx) =>
        changeTags(tx, toRefs(ref), { added: body.addedTags, removed: body.removedTags, fieldOf }),
      );
      return { body: { version: 1, tags: await tagsOf(ref.featureName) } };
    },
    'DELETE /api/admin/features/:featureName/tags/:type/:value': async ({ params, author, caller }) => {
      const ref = await requireChangeable(params.featureName, caller);
      await write(author, (tx) => removeTag(tx, ref, { type: params.type, value: params.value }));
    },
    'PUT /api/admin/projects/:projectId/tags': async ({ params, body: { features, tags }, author }) => {
      const refs = { project: params.projectId, featureNames: features };
      const fieldOf = (index: number) => `tags.addedTags.${index}.type`;
      await write(author, (tx) => changeTags(tx, refs, { added: tags.addedTags, removed: tags.removedTags, fieldOf }));
    },
  };
}

function toRefs({ project, featureName }: FeatureRef): FeatureRefs {
  return { project, featureNames: [featureName] };
}
