import { z } from 'zod';
import { markStale } from '#features/flags/flags/index.ts';
import { type ActionKind, defineKind, flagParameter, projectParameter } from './kind.ts';

function mark(stale: boolean): ActionKind {
  return defineKind({
    label: stale ? 'Mark a feature flag as stale' : 'Remove the stale mark of a feature flag',
    description: stale ? 'Marks a feature flag as due for cleanup' : 'Marks a feature flag as in use again',
    category: 'Feature flags',
    permission: 'UPDATE_FEATURE',
    parameters: [projectParameter, flagParameter],
    schema: z.strictObject({ project: z.string(), featureName: z.string() }),
    run: async (tx, { project, featureName }) => {
      await markStale(tx, { project, featureNames: [featureName], stale });
      return undefined;
    },
  });
}

export const markFlagStale = mark(true);
export const unmarkFlagStale = mark(false);
