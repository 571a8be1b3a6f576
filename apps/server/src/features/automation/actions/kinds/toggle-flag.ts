import { z } from 'zod';
import { setFeatureEnabled } from '#features/flags/flags/index.ts';
import { type ActionKind, defineKind, environmentParameter, flagParameter, projectParameter } from './kind.ts';

function toggle(enabled: boolean): ActionKind {
  const how = enabled ? 'on' : 'off';
  return defineKind({
    label: `Turn a feature flag ${how}`,
    description: `Turns a feature flag ${how} in an environment`,
    category: 'Feature flags',
    permission: 'UPDATE_FEATURE_ENVIRONMENT',
    parameters: [projectParameter, environmentParameter, flagParameter],
    schema: z.strictObject({ project: z.string(), environment: z.string(), featureName: z.string() }),
    run: async (tx, params) => {
      await setFeatureEnabled(tx, { ...params, enabled });
      return undefined;
    },
  });
}

export const toggleFlagOn = toggle(true);
export const toggleFlagOff = toggle(false);
