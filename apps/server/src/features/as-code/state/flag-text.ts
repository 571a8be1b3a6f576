import type { FlagDefinition } from '#features/flags/definitions/index.ts';
import type { Safeguard } from '#features/releases/safeguards/index.ts';
import { type StoredPlans, withoutPlans } from './flag-plans.ts';
import { type FlagNames, presentFlag } from './present.ts';

/** The release plans and the safeguards of flags, by flag name. */
interface Stored {
  readonly plans: StoredPlans;
  readonly safeguards: ReadonlyMap<string, readonly Safeguard[]>;
}

/**
 * Returns the canonical text of a flag: the JSON that a state file has for it. What has no order of its own is sorted
 * (environments, tags, links, segments, safeguards, parameters and labels), so that equal flags have equal text.
 */
export function flagText(flag: FlagDefinition, { plans, safeguards }: Stored, names: FlagNames): string {
  const { name } = flag.feature;
  const inEnvironments = Map.groupBy(safeguards.get(name) ?? [], ({ environment }) => environment);
  return JSON.stringify(
    presentFlag(withoutPlans(flag, plans), { plans: plans.get(name) ?? new Map(), safeguards: inEnvironments }, names),
  );
}
