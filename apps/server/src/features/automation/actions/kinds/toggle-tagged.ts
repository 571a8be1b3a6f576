import { z } from 'zod';
import { flagsTagged } from '#features/flags/feature/index.ts';
import { setFeaturesEnabled } from '#features/flags/flags/index.ts';
import { type ActionKind, defineKind, environmentParameter, projectParameter, tagParameter } from './kind.ts';
import { parseTag } from './tag.ts';

function toggle(enabled: boolean): ActionKind {
  const how = enabled ? 'on' : 'off';
  return defineKind({
    label: `Turn feature flags with a tag ${how}`,
    description: `Turns all feature flags of the project with a tag ${how} in an environment`,
    category: 'Feature flags',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    parameters: [projectParameter, environmentParameter, tagParameter],
    schema: z.strictObject({ project: z.string(), environment: z.string(), tag: z.string() }),
    run: async (tx, { project, environment, tag }) => {
      const featureNames = await flagsTagged(tx.db, project, parseTag(tag));
      if (featureNames.length === 0) return { details: `No feature flag of the project has the tag ${tag}.` };
      await setFeaturesEnabled(tx, { project, featureNames, environment, enabled });
      return undefined;
    },
  });
}

export const toggleTaggedOn = toggle(true);
export const toggleTaggedOff = toggle(false);
