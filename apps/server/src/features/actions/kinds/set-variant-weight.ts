import { z } from 'zod';
import { Problem } from '../../../kernel/errors.ts';
import { changeStrategy, changeVariants } from '../../flags/index.ts';
import { defineKind, ofEnvironment, ofFlag, ofProject, wholeNumber } from './kind.ts';
import { ofStrategy, strategyPlace } from './strategy.ts';

const thousandths = 1000;

export const setVariantWeight = defineKind({
  label: 'Set the weight of a variant',
  description:
    'Fixes the weight of a variant of the feature flag, or of a strategy of it, in thousandths; the variable ones share the rest',
  category: 'Variants',
  permission: 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  parameters: [
    ofProject,
    ofEnvironment,
    ofFlag,
    { ...ofStrategy, optional: true },
    { name: 'variant', label: 'Variant', type: 'text', optional: false },
    { name: 'weight', label: 'Weight', type: 'number', optional: false },
  ],
  schema: z.strictObject({
    ...strategyPlace,
    strategyId: z.string().optional(),
    variant: z.string().min(1),
    weight: wholeNumber(thousandths),
  }),
  run: async (tx, { strategyId, variant, weight, ...place }, { strategies }) => {
    const { project, featureName, environment } = place;
    if (strategyId === undefined) {
      const where = { project, featureName, environments: [environment] };
      await changeVariants(tx, where, 'variants', (variants) => weighted(variants, variant, weight));
    } else {
      await changeStrategy(tx, strategies, { ...place, id: strategyId }, ({ variants }) => ({
        variants: weighted(variants, variant, weight),
      }));
    }
    return undefined;
  },
});

function weighted<V extends { readonly name: string }>(variants: readonly V[], name: string, weight: number): V[] {
  if (!variants.some((one) => one.name === name))
    throw new Problem('NotFoundError', `There is no variant ${name} among those of the flag there.`);
  return variants.map((one) => (one.name === name ? { ...one, weight, weightType: 'fix' as const } : one));
}
