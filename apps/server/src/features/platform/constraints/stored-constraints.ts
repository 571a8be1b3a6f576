import { operatorNames } from '@yardarm/evaluation';
import { z } from 'zod';
import type { Constraint } from './constraint.ts';

/** The constraints of a strategy or segment as they are stored. */
export const storedConstraints: z.ZodType<readonly Constraint[]> = z.array(
  z.object({
    contextName: z.string(),
    operator: z.enum(operatorNames),
    values: z.array(z.string()),
    value: z.string().optional(),
    inverted: z.boolean(),
    caseInsensitive: z.boolean(),
    looseNumber: z.literal(true).optional(),
  }),
);
