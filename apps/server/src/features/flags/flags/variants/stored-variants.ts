import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { FlagVariant, StrategyVariant } from './variant.ts';

const strategyVariant = z.object({
  name: z.string(),
  weight: z.number(),
  weightType: z.enum(['variable', 'fix']),
  stickiness: z.string(),
  payload: z.object({ type: z.enum(['json', 'csv', 'string', 'number']), value: z.string() }).optional(),
});

const flagVariant = strategyVariant.extend({
  overrides: z.array(z.object({ contextName: z.string(), values: z.array(z.string()) })).optional(),
});

/** The variants of a strategy as they are stored. */
export const storedStrategyVariants: z.ZodType<readonly StrategyVariant[]> = z.array(strategyVariant);

/** A flag's own variants. */
export const flagVariantsColumn = jsonColumn<readonly FlagVariant[]>('feature_variants.variants', z.array(flagVariant));
