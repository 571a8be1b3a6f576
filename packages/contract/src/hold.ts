import { z } from 'zod';
import { dateTime } from './scalars.ts';

/** The effects of a hold. `milestone`: an earlier milestone of the release plan of the flag. */
export const holdEffects = ['off', 'rollout', 'on', 'milestone'] as const;

/** A temporary state of a flag in an environment that overrides the configured state. */
export const holdSchema = z.object({
  id: z.number().int(),
  effect: z.enum(holdEffects),
  rollout: z.number().int().nullable().meta({
    description:
      'The percentage when the effect is `rollout`. When it is `milestone`, the highest percentage of the milestone, where strategies with constraints or segments count as 0',
  }),
  milestone: z
    .object({ id: z.string(), name: z.string() })
    .nullable()
    .meta({ description: 'The milestone when the effect is `milestone`; null for other effects' }),
  heldBy: z.object({
    kind: z.enum(['run', 'safeguard', 'person']).meta({
      description:
        '`run` for the run of an action set, `safeguard` for a safeguard of a release plan, `person` for a user, a service account or a token',
    }),
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
  stepsDownAt: dateTime.optional().meta({
    description: 'When the flag is held one milestone further down, unless the hold has ended; absent when it is not',
  }),
  onExpiry: z
    .enum(['release', 'keep'])
    .meta({ description: '`keep`: the hold stays after `expiresAt` until its alert ends or a person releases it' }),
});
