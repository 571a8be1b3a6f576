import { strategyVariantValues, variantSchema } from '@yardarm/contract';
import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { FlagVariant, StrategyVariant } from './variant.ts';

/** The variants of a strategy as they are stored. */
export const storedStrategyVariants: z.ZodType<readonly StrategyVariant[]> = z.array(strategyVariantValues);

/** A flag's own variants. */
export const flagVariantsColumn = jsonColumn<readonly FlagVariant[]>(
  'feature_variants.variants',
  z.array(variantSchema),
);
