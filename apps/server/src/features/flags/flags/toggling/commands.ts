import { createDefaultStrategies } from '#features/flags/default-strategies/index.ts';
import {
  type Feature,
  type FeatureEvent,
  type FeatureRef,
  type FeatureRefs,
  recordEventsWithTags,
  requireFeatures,
  requireNotArchived,
  tagsByFeature,
} from '#features/flags/feature/index.ts';
import { notInEnvironment, setEnabled, statesIn } from '#features/flags/states/index.ts';
import {
  activateStrategies,
  insertStrategies,
  listStrategies,
  type Strategy,
  sortOrderAfter,
  strategyEventData,
} from '#features/flags/strategies/index.ts';
import type { Tx } from '#storage/tx.ts';

/** The desired state of flags in an environment. */
export interface DesiredState {
  readonly environment: string;
  readonly enabled: boolean;
  /** Enables the disabled strategies of flags without an active one, instead of adding a strategy. */
  readonly activateDisabledStrategies?: boolean | undefined;
}

/**
 * Switches a flag on or off in an environment. Records no event when the flag is in that state. A flag that is switched
 * on without an active strategy gets one for everyone (docs/spec#flag-environments). Rejects with 404 when the flag is
 * unknown, belongs to another project or is not in the environment; with 400 when it is archived.
 */
export async function setFeatureEnabled(
  tx: Tx,
  { project, featureName, ...state }: FeatureRef & DesiredState,
): Promise<void> {
  await setFeaturesEnabled(tx, { project, featureNames: [featureName], ...state });
}

/** Runs {@link setFeatureEnabled} for several flags of a project, all or none. */
export async function setFeaturesEnabled(
  tx: Tx,
  { environment, enabled, ...refs }: FeatureRefs & DesiredState,
): Promise<void> {
  // Concurrent reads: this transaction holds up every other write while it waits.
  const [features, states, strategies, tags] = await Promise.all([
    requireFeatures(tx.db, refs),
    statesIn(tx.db, environment, refs.featureNames),
    enabled ? listStrategies(tx.db, refs.featureNames, environment) : [],
    tagsByFeature(tx.db, refs.featureNames),
  ]);
  requireNotArchived(features);
  const changed = flagsToSwitch(features, states, environment, enabled);
  if (changed.length === 0) return;
  const names = changed.map(({ name }) => name);
  const place = { project: refs.project, environment };
  const [strategyEvents] = await Promise.all([
    enabled
      ? ensureActiveStrategies(tx, names, place, strategies, refs.activateDisabledStrategies ?? false)
      : new Map<string, FeatureEvent[]>(),
    setEnabled(tx, environment, names, enabled),
  ]);
  for (const feature of changed) {
    const type = enabled ? 'feature-environment-enabled' : 'feature-environment-disabled';
    const events = [...(strategyEvents.get(feature.name) ?? []), { type, environment } as const];
    recordEventsWithTags(tx, feature, tags.get(feature.name) ?? [], ...events);
  }
}

/** Returns the flags whose state differs from `enabled`. Rejects with 404 when a flag is not in the environment. */
function flagsToSwitch(
  features: readonly Feature[],
  states: ReadonlyMap<string, boolean>,
  environment: string,
  enabled: boolean,
) {
  const missing = features.find(({ name }) => !states.has(name));
  if (missing !== undefined) throw notInEnvironment(missing.name, environment);
  return features.filter(({ name }) => states.get(name) !== enabled);
}

/** Enables or adds a strategy where a flag has no active one; returns the events by flag name. */
async function ensureActiveStrategies(
  tx: Tx,
  names: readonly string[],
  place: { readonly project: string; readonly environment: string },
  all: readonly Strategy[],
  activateDisabled: boolean,
) {
  const { environment } = place;
  const strategies = Map.groupBy(all, (strategy) => strategy.featureName);
  const withoutActive = names.filter((name) => !strategies.get(name)?.some(({ disabled }) => !disabled));
  const activated = activateDisabled ? withoutActive.filter((name) => strategies.has(name)) : [];
  const withoutStrategy = withoutActive.filter((name) => !activated.includes(name));
  const added = (withoutStrategy.length === 0 ? [] : await createDefaultStrategies(tx, place, withoutStrategy)).map(
    (strategy) => ({
      ...strategy,
      sortOrder: sortOrderAfter(strategies.get(strategy.featureName)?.at(-1)),
    }),
  );
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
  for (const strategy of added) {
    events.set(strategy.featureName, [
      { type: 'feature-strategy-add', environment, data: strategyEventData(strategy) },
    ]);
  }
  return events;
}
