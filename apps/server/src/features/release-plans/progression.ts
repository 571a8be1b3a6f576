import { z } from 'zod';
import type { JobKind } from '../../jobs/runner.ts';
import type { StrategyLimits } from '../flags/index.ts';
import { progress } from './commands.ts';
import { progressionKind } from './store.ts';

const payloadSchema = z.object({ planId: z.string(), at: z.number() });

/** Creates the kind of job that starts the next milestone of a plan when the gates of the active milestone are open. */
export function planProgression(limits: StrategyLimits): JobKind {
  return {
    kind: progressionKind,
    records: true,
    run: async (tx, payload) => {
      const { planId, at } = payloadSchema.parse(payload);
      await progress(tx, limits, planId, at);
      return undefined;
    },
  };
}
