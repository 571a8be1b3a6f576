import { z } from 'zod';
import { markStale } from '../../flags/index.ts';
import { type ActionKind, defineKind, ofFlag, ofProject } from './kind.ts';

function mark(stale: boolean): ActionKind {
  return defineKind({
    label: stale ? 'Mark a feature flag as stale' : 'Take the mark of a stale feature flag back',
    description: stale ? 'Says that a feature flag should be cleaned up' : 'Says that a feature flag is in use again',
    category: 'Feature flags',
    permission: 'UPDATE_FEATURE',
    parameters: [ofProject, ofFlag],
    schema: z.strictObject({ project: z.string(), featureName: z.string() }),
    run: async (tx, { project, featureName }) => {
      await markStale(tx, { project, featureNames: [featureName], stale });
      return undefined;
    },
  });
}

export const markFlagStale = mark(true);
export const unmarkFlagStale = mark(false);
