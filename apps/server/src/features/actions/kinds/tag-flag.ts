import { z } from 'zod';
import { changeTags } from '../../flags/index.ts';
import { type ActionKind, defineKind, ofFlag, ofProject, ofTag } from './kind.ts';
import { tagOf } from './tag.ts';

function tagging(adds: boolean): ActionKind {
  return defineKind({
    label: adds ? 'Add a tag to a feature flag' : 'Remove a tag from a feature flag',
    description: adds ? 'Gives a feature flag a tag; its type must be there' : 'Takes a tag off a feature flag',
    category: 'Feature flags',
    permission: 'UPDATE_FEATURE',
    parameters: [ofProject, ofFlag, ofTag],
    schema: z.strictObject({ project: z.string(), featureName: z.string(), tag: z.string() }),
    run: async (tx, { project, featureName, tag }) => {
      const one = tagOf(tag);
      const change = adds ? { added: [one], removed: [] } : { added: [], removed: [one] };
      await changeTags(tx, { project, featureNames: [featureName] }, { ...change, fieldOf: () => 'tag' });
      return undefined;
    },
  });
}

export const addTag = tagging(true);
export const removeTag = tagging(false);
