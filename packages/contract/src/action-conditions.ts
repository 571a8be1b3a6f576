import { z } from 'zod';
import { featureNameText, filledText, plainText, urlFriendly } from './text.ts';

/** What a filter may ask (docs/spec#action-filters): those of strategies' constraints that make sense of a payload. */
export const filterOperators = [
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
  'SEMVER_EQ',
  'SEMVER_GT',
  'SEMVER_GTE',
  'SEMVER_LT',
  'SEMVER_LTE',
] as const;

/** Where something stands in a payload. */
export const payloadPath = filledText(500);

export const filterBody = z.strictObject({
  operator: z.enum(filterOperators),
  inverted: z.boolean().optional().meta({ description: 'Holds where it would not' }),
  caseInsensitive: z.boolean().optional().meta({ description: 'For IN, NOT_IN and STR_…' }),
  value: plainText(1000).optional().meta({ description: 'What NUM_… and SEMVER_… compare with' }),
  values: z
    .array(plainText(1000))
    .optional()
    .meta({ description: 'What IN, NOT_IN and STR_… compare with: one of them is enough' }),
});

/** Which flags, tags and environments values from a payload may name. */
export const allowBody = z.strictObject({
  flags: z
    .array(z.union([z.literal('*'), featureNameText]))
    .max(1000)
    .default([])
    .meta({ description: '`*` stands for all of the project' }),
  tags: z
    .array(filledText(300))
    .max(100)
    .default([])
    .meta({ description: 'Such as simple:checkout: tags that may be named, and flags that bear one of them' }),
  environments: z.array(urlFriendly).max(100).default([]).meta({ description: 'Environments of the project' }),
});

const seconds = z.number().int().min(1).max(2_592_000);

export const guardsBody = z.strictObject({
  cooldownSeconds: seconds
    .optional()
    .meta({ description: 'What the set has changed or called is left alone by it that long' }),
  quorum: z
    .strictObject({
      signals: z.number().int().min(1).max(1000),
      tokens: z.number().int().min(1).max(1000).default(1).meta({ description: 'Not more than signals' }),
      withinSeconds: seconds,
    })
    .refine(({ signals, tokens }) => tokens <= signals, { path: ['tokens'], error: 'must not be more than signals' })
    .optional()
    .meta({ description: 'So many matching signals, from so many tokens, have to come within that time' }),
  flagsPerHour: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .meta({ description: 'Most flags that the set changes within an hour' }),
  flapping: z
    .strictObject({ changes: z.number().int().min(1).max(1000), withinSeconds: seconds })
    .optional()
    .meta({ description: 'A flag that actions of any set have changed that often within that time is left alone' }),
});
