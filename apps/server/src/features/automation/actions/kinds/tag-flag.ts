import { z } from 'zod';
import { changeTags } from '#features/flags/flags/index.ts';
import { type ActionKind, defineKind, flagParameter, projectParameter, tagParameter } from './kind.ts';
import { parseTag } from './tag.ts';

function tagging(adds: boolean): ActionKind {
  return defineKind({
    label: adds ? 'Add a tag to a feature flag' : 'Remove a tag from a feature flag',
    description: adds ? 'Adds a tag to a feature flag. The tag type must exist' : 'Removes a tag from a feature flag',
    category: 'Feature flags',
    permission: 'UPDATE_FEATURE',
    parameters: [projectParameter, flagParameter, tagParameter],
    schema: z.strictObject({ project: z.string(), featureName: z.string(), tag: z.string() }),
    run: async (tx, { project, featureName, tag }) => {
      const parsed = parseTag(tag);
      const change = adds ? { added: [parsed], removed: [] } : { added: [], removed: [parsed] };
      await changeTags(tx, { project, featureNames: [featureName] }, { ...change, fieldOf: () => 'tag' });
      return undefined;
    },
  });
}

export const addTag = tagging(true);
export const removeTag = tagging(false);
