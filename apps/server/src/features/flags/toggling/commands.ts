import type { Tx } from '../../../storage/tx.ts';
import { newDefaultsFor } from '../default-strategies/index.ts';
import {
  type Feature,
  type FeatureEvent,
  type FeatureRef,
  type FeatureRefs,
  recordTagged,
  requireFeatures,
  requireNotArchived,
  tagsByFeature,
} from '../feature/index.ts';
import { notInEnvironment, setEnabled, statesIn } from '../states/index.ts';
import {
  activateStrategies,
  insertStrategies,
  listStrategies,
  placeAfter,
  type Strategy,
  strategyEventData,
} from '../strategies/index.ts';

/** How flags are switched. */
export interface Switch {
  readonly environment: string;
  readonly enabled: boolean;
  /** When flags that have only disabled strategies go on: puts those to use instead of adding one. */
  readonly activateDisabledStrategies?: boolean | undefined;
}

/**
 * Switches a flag on or off in an environment; one that is so already stays as it is, and nothing is recorded.
 * A flag that goes on without an active strategy gets one for everyone (docs/spec#flag-environments). 404 for an
 * unknown flag, one of another project, or an environment that it is not in; 400 when it is archived.
 */
export async function setFeatureEnabled(tx: Tx, { project, featureName, ...how }: FeatureRef & Switch): Promise<void> {
  await setFeaturesEnabled(tx, { project, featureNames: [featureName], ...how });
}

/** {@link setFeatureEnabled} for several flags of a project: all of them, or none when one cannot be switched. */
export async function setFeaturesEnabled(
  tx: Tx,
  { environment, enabled, ...how }: FeatureRefs & Switch,
): Promise<void> {
  // Asked for together: each wait for an answer holds up every other change.
  const [features, states, strategies, tags] = await Promise.all([
    requireFeatures(tx.db, how),
    statesIn(tx.db, environment, how.featureNames),
    enabled ? listStrategies(tx.db, how.featureNames, environment) : [],
    tagsByFeature(tx.db, how.featureNames),
  ]);
  requireNotArchived(features);
  const changed = thatAreNot(features, states, environment, enabled);
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name);
  tx.unawaited(setEnabled(tx, environment, names, enabled));
  const place = { project: how.project, environment };
  const strategyEvents = enabled
    ? await makeActive(tx, names, place, strategies, how.activateDisabledStrategies ?? false)
    : new Map<string, FeatureEvent[]>();
  for (const feature of changed) {
    const switched = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled';
    const events = [...(strategyEvents.get(feature.name) ?? []), { type: switched, environment } as const];
    recordTagged(tx, feature, tags.get(feature.name) ?? [], ...events);
  }
}

/** Those of the flags whose state is another. 404 for one without any. */
function thatAreNot(
  features: readonly Feature[],
  states: ReadonlyMap<string, boolean>,
  environment: string,
  enabled: boolean,
) {
  const missing = features.find(({ name }) => !states.has(name));
  if (missing !== undefined) throw notInEnvironment(missing.name, environment);
  return features.filter(({ name }) => states.get(name) !== enabled);
}

/** Sees to it that each of the flags has an active strategy; answers what happened, by flag. */
async function makeActive(
  tx: Tx,
  names: readonly string[],
  place: { readonly project: string; readonly environment: string },
  all: readonly Strategy[],
  activateDisabled: boolean,
) {
  const { environment } = place;
  const strategies = Map.groupBy(all, (one) => one.featureName);
  const without = names.filter((name) => !strategies.get(name)?.some(({ disabled }) => !disabled));
  const activated = activateDisabled ? without.filter((name) => strategies.has(name)) : [];
  const bare = without.filter((name) => !activated.includes(name));
  const added = (bare.length === 0 ? [] : await newDefaultsFor(tx, place, bare)).map((one) => ({
    ...one,
    sortOrder: placeAfter(strategies.get(one.featureName)?.at(-1)),
  }));
  if (activated.length > 0) await activateStrategies(tx, activated, environment);
  await insertStrategies(tx, added);
  const events = new Map<string, FeatureEvent[]>();
  for (const name of activated) {
    events.set(
      name,
      (strategies.get(name) ?? []).map((before) => ({
        type: 'feature-strategy-update',
        environment,
        preData: strategyEventData(before),
        data: strategyEventData({ ...before, disabled: false }),
      })),
    );
  }
  for (const one of added) {
    events.set(one.featureName, [{ type: 'feature-strategy-add', environment, data: strategyEventData(one) }]);
  }
  return events;
}
