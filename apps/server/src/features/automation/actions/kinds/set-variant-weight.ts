import { z } from 'zod';
import { changeStrategy } from '#features/flags/strategies/index.ts';
import { changeVariants } from '#features/flags/variants/index.ts';
import { Problem } from '#kernel/errors.ts';
import { defineKind, environmentParameter, flagParameter, projectParameter, wholeNumber } from './kind.ts';
import { strategyParameter, strategyPlaceSchema } from './strategy.ts';

const thousandths = 1000;

export const setVariantWeight = defineKind({
  label: 'Set the weight of a variant',
  description:
    'Sets a fixed weight, in thousandths, for a variant of the feature flag or of one of its strategies. The variable variants share the rest',
  category: 'Variants',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  parameters: [
    projectParameter,
    environmentParameter,
    flagParameter,
    { ...strategyParameter, optional: true },
    { name: 'variant', label: 'Variant', type: 'text', optional: false },
    { name: 'weight', label: 'Weight', type: 'number', optional: false },
  ],
  schema: z.strictObject({
    ...strategyPlaceSchema,
    strategyId: z.string().optional(),
    variant: z.string().min(1),
    weight: wholeNumber(thousandths),
  }),
  run: async (tx, { strategyId, variant, weight, ...place }, { strategies }) => {
    const { project, featureName, environment } = place;
    if (strategyId === undefined) {
      const where = { project, featureName, environments: [environment] };
      const owner = `The flag ${featureName}`;
      await changeVariants(tx, where, 'variants', (variants) => withWeight(variants, variant, weight, owner));
    } else {
      const owner = `The strategy ${strategyId} of the flag ${featureName}`;
      await changeStrategy(tx, strategies, { ...place, id: strategyId }, ({ variants }) => ({
        variants: withWeight(variants, variant, weight, owner),
      }));
    }
    return undefined;
  },
});

function withWeight<V extends { readonly name: string }>(
  variants: readonly V[],
  name: string,
  weight: number,
  owner: string,
): V[] {
  if (!variants.some((variant) => variant.name === name))
    throw new Problem('NotFoundError', `${owner} has no variant ${name}.`);
  return variants.map((variant) =>
    variant.name === name ? { ...variant, weight, weightType: 'fix' as const } : variant,
  );
}
