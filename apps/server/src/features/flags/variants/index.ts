export { changeVariants } from './commands.ts';
export { presentFlagVariant } from './present.ts';
export { featureVariantHandlers } from './routes.ts';
export { copyVariants, listVariants, putVariants, variantsByEnvironment } from './store.ts';
export { flagVariantsColumn, storedStrategyVariants } from './stored-variants.ts';
export { distributeWeights, type FlagVariant, payloadProblem, type StrategyVariant } from './variant.ts';
