import type { FlagVariant } from './variant.ts';

export function presentFlagVariant({ overrides, ...variant }: FlagVariant) {
  const own = overrides?.map(({ contextName, values }) => ({ contextName, values: [...values] }));
  return own === undefined ? variant : { ...variant, overrides: own };
}
