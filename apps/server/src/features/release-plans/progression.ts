import { z } from 'zod';
import type { JobKind } from '../../jobs/runner.ts';
import type { StrategyLimits } from '../flags/index.ts';
import { progress } from './commands.ts';
import { progressionKind } from './store.ts';

const payloadSchema = z.object({ planId: z.string(), at: z.number() });

/** Starts the next milestone of a plan when the time at the active one is over. */
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
