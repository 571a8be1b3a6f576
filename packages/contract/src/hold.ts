import { z } from 'zod';
import { dateTime } from './scalars.ts';

export const holdEffects = ['off', 'rollout', 'on'] as const;

/** A temporary state of a flag in an environment that overrides the configured state. */
export const holdSchema = z.object({
  id: z.number().int(),
  effect: z.enum(holdEffects),
  rollout: z.number().int().nullable().meta({ description: 'The percentage when the effect is `rollout`' }),
  heldBy: z.object({
    kind: z
      .enum(['run', 'person'])
      .meta({ description: '`run` for the run of an action set, `person` for a user, a service account or a token' }),
    key: z.string().meta({
      description:
        'Identifies the holder, who has at most one hold on a flag in an environment. Two sets of actions with the same key have a hold each',
    }),
    runId: z.number().int().nullable(),
    actionSetId: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'The set of actions that holds the flag; null for people' }),
    userId: z.number().int(),
    name: z.string(),
  }),
  reason: z.string().nullable(),
  placedAt: dateTime,
  expiresAt: dateTime.nullable(),
  onExpiry: z
    .enum(['release', 'keep'])
    .meta({ description: '`keep`: the hold stays after `expiresAt` until its alert ends or a person releases it' }),
});
