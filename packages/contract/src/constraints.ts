import { z } from 'zod';
import { filledText, plainText } from './text.ts';

/** The operators of constraints (docs/spec#constraints). */
export const constraintOperators = [
  'IN',
  'NOT_IN',
  'STR_STARTS_WITH',
  'STR_ENDS_WITH',
  'STR_CONTAINS',
  'NUM_EQ',
  'NUM_GT',
  'NUM_GTE',
  'NUM_LT',
  'NUM_LTE',
  'DATE_AFTER',
  'DATE_BEFORE',
  'SEMVER_EQ',
  'SEMVER_GT',
  'SEMVER_GTE',
  'SEMVER_LT',
  'SEMVER_LTE',
  'REGEX',
  'IN_CIDR',
] as const;

const longText = 100_000;

/** `values` is always present, because old SDKs require it. Operators with a single value read `value`. */
export const constraintBody = z.object({
  contextName: filledText(255),
  operator: z.enum(constraintOperators),
  values: z.array(plainText(longText)).default([]),
  value: plainText(longText).optional(),
  inverted: z.boolean().default(false),
  caseInsensitive: z.boolean().default(false),
});

/** A constraint in an answer. */
export const constraintSchema = z.object({
  contextName: z.string(),
  operator: z.string(),
  values: z.array(z.string()),
  value: z.string().optional(),
  inverted: z.boolean(),
  caseInsensitive: z.boolean(),
});

/** A strategy that uses a segment or context field, and its flag. */
export const usingStrategySchema = z.object({
  id: z.string(),
  featureName: z.string(),
  projectId: z.string(),
  environment: z.string(),
  strategyName: z.string(),
});
