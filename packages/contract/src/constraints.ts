import { operatorNames } from '@yardarm/evaluation/operators';
import { z } from 'zod';
import { filledText, plainText } from './text.ts';

const longText = 100_000;

/** `values` is always present, because old SDKs require it. Operators with a single value read `value`. */
export const constraintBody = z.object({
  contextName: filledText(255),
  operator: z.enum(operatorNames),
  values: z.array(plainText(longText)).default([]),
  value: plainText(longText).optional(),
  inverted: z.boolean().default(false),
  caseInsensitive: z.boolean().default(false),
  looseNumber: z.boolean().optional().meta({
    description:
      'False removes the mark `looseNumber` of a stored constraint that is otherwise equal; true has no effect',
  }),
});

/** A constraint in an answer. */
export const constraintSchema = z.object({
  contextName: z.string(),
  operator: z.string(),
  values: z.array(z.string()),
  value: z.string().optional(),
  inverted: z.boolean(),
  caseInsensitive: z.boolean(),
  looseNumber: z.literal(true).optional().meta({
    description:
      'Present when the constraint was stored by a version before 0.10.0, and still reads blank text of a context as the number 0. A change of the constraint removes it',
  }),
});

/** A strategy that uses a segment or context field, and its flag. */
export const usingStrategySchema = z.object({
  id: z.string(),
  featureName: z.string(),
  projectId: z.string(),
  environment: z.string(),
  strategyName: z.string(),
});
