import { z } from 'zod';
import { columnOf, type FieldRow } from './field-table.ts';
import { filledText, plainText } from './text.ts';

const longText = 100_000;
const payloadType = z.enum(['json', 'csv', 'string', 'number']);

/**
 * The fields of a variant. Requests, answers, events, state files, exports and imports derive from this table. Variants
 * are stored as JSON.
 */
export const variantFields = {
  name: { input: filledText(255), value: z.string(), initial: undefined },
  weight: {
    input: z.number().int().min(0).max(1000).meta({ description: 'In thousandths' }),
    value: z.number(),
    initial: undefined,
  },
  weightType: {
    input: z
      .enum(['variable', 'fix'])
      .meta({ description: '`fix` keeps its weight; `variable` variants share the rest' }),
    value: z.enum(['variable', 'fix']),
    initial: 'variable',
  },
  stickiness: {
    input: filledText(255).meta({
      description: 'The context field that decides the variant: the same value always gets the same variant',
    }),
    value: z.string(),
    initial: 'default',
  },
  payload: {
    input: z
      .object({ type: payloadType, value: plainText(longText) })
      .optional()
      .meta({ description: 'Data that SDKs return with the variant' }),
    value: z.object({ type: payloadType, value: z.string() }).optional(),
    initial: undefined,
  },
} as const satisfies Record<string, FieldRow>;

/** A variant of a strategy in a request. */
export const strategyVariantSchema = z.object(columnOf(variantFields, 'input'));

/** A variant of a flag in a request or a file. Only variants of flags have overrides, not those of strategies. */
export const flagVariantBody = strategyVariantSchema.extend({
  weightType: variantFields.weightType.input.default(variantFields.weightType.initial),
  stickiness: variantFields.stickiness.input.default(variantFields.stickiness.initial),
  overrides: z
    .array(z.object({ contextName: filledText(255), values: z.array(plainText(1000)).max(1000) }))
    .max(100)
    .optional()
    .meta({ description: 'Contexts that always get this variant, regardless of weights' }),
});

/** A variant of a strategy as it is answered and stored. */
export const strategyVariantValues = z.object(columnOf(variantFields, 'value'));

/** A variant of a flag as it is answered and stored. */
export const variantSchema = strategyVariantValues.extend({
  overrides: z.array(z.object({ contextName: z.string(), values: z.array(z.string()) })).optional(),
});

export type StrategyVariantBody = z.output<typeof strategyVariantValues>;

/** The fields of a variant that are left out where they have these values. */
export const initialVariant = columnOf(variantFields, 'initial');
