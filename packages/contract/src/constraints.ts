import { z } from 'zod';
import { filledText, plainText } from './text.ts';

/** What a constraint may ask (docs/spec#constraints). */
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

/** `values` is always there, for SDKs that knew no other; operators that take one value read `value`. */
export const constraintBody = z.object({
  contextName: filledText(255),
  operator: z.enum(constraintOperators),
  values: z.array(plainText(longText)).default([]),
  value: plainText(longText).optional(),
  inverted: z.boolean().default(false),
  caseInsensitive: z.boolean().default(false),
});

/** A constraint as it is answered. */
export const constraintSchema = z.object({
  contextName: z.string(),
  operator: z.string(),
  values: z.array(z.string()),
  value: z.string().optional(),
  inverted: z.boolean(),
  caseInsensitive: z.boolean(),
});

/** Where something is used: a strategy and the flag it belongs to. */
export const usingStrategySchema = z.object({
  id: z.string(),
  featureName: z.string(),
  projectId: z.string(),
  environment: z.string(),
  strategyName: z.string(),
});
