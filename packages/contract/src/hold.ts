import { z } from 'zod';
import { dateTime } from './scalars.ts';

export const holdEffects = ['off', 'rollout', 'on'] as const;

/** What holds a flag in another state than the configured one. */
export const holdSchema = z.object({
  id: z.number().int(),
  effect: z.enum(holdEffects),
  rollout: z.number().int().nullable().meta({ description: 'The percentage where the effect is `rollout`' }),
  heldBy: z.object({
    kind: z.enum(['run', 'person']).meta({ description: 'The run of an action, or whoever asked for it' }),
    key: z.string().meta({ description: 'One holder has one lease on a flag in an environment, known by this key' }),
    runId: z.number().int().nullable(),
    userId: z.number().int(),
    name: z.string(),
  }),
  reason: z.string().nullable(),
  placedAt: dateTime,
  expiresAt: dateTime.nullable(),
});
