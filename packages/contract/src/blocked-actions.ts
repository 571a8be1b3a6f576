import { z } from 'zod';
import { dateTime } from './scalars.ts';

/** Why an action set cannot run. */
export const blockedSchema = z.object({
  reason: z.string().meta({ description: 'The right that the service account lacks, and what to do' }),
  blockedSince: dateTime,
});

/** The field of an action set that says why it cannot run. */
export const blockedField = blockedSchema.nullable().meta({
  description:
    'Set while the action set cannot run, because its service account is gone or lacks a permission. Null for action sets that are disabled or in shadow mode',
});
