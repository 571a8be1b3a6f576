import type { HoldEffect } from '../holds/index.ts';
import type { ClientFeatureEnvironment, ClientStrategy } from './client-feature.ts';

/** What SDKs get of a flag that is held: off, or on by its configured strategies, at the percentage if there is one. */
export function overlay(
  configured: ClientFeatureEnvironment,
  hold: HoldEffect,
  featureName: string,
): ClientFeatureEnvironment {
  if (hold.effect === 'off') return { ...configured, enabled: false };
  const { rollout } = hold;
  const strategies = configured.strategies.map((one) =>
    rollout === null ? one : atRollout(one, rollout, featureName),
  );
  if (strategies.some(({ disabled }) => !disabled)) return { ...configured, enabled: true, strategies };
  // SDKs take a flag without strategies as on for all (ADR 7): it is so only when that was meant.
  if (!hold.forEveryone) return { ...configured, enabled: false, strategies };
  return { ...configured, enabled: true, strategies: [...strategies, forEveryone(hold, featureName)] };
}

/** Parameters that say at which percentage a strategy is, by its name. */
const rolloutOf: Readonly<Record<string, string>> = {
  flexibleRollout: 'rollout',
  gradualRolloutUserId: 'percentage',
  gradualRolloutSessionId: 'percentage',
  gradualRolloutRandom: 'percentage',
};

/**
 * A strategy at another percentage of those it is for. One for everyone becomes a gradual rollout; those that name who
 * gets the flag, and custom ones, have no percentage and stay.
 */
function atRollout(strategy: ClientStrategy, rollout: number, featureName: string): ClientStrategy {
  if (strategy.name === 'default') {
    return { ...strategy, name: 'flexibleRollout', parametersJson: gradual(rollout, featureName) };
  }
  const parameter = rolloutOf[strategy.name];
  if (parameter === undefined) return strategy;
  const parameters = { ...(JSON.parse(strategy.parametersJson) as object), [parameter]: String(rollout) };
  return { ...strategy, parametersJson: JSON.stringify(parameters) };
}

function forEveryone({ id, rollout }: HoldEffect, featureName: string): ClientStrategy {
  return {
    id: `lease-${id}`,
    title: 'Held for everyone',
    disabled: false,
    name: 'flexibleRollout',
    parametersJson: gradual(rollout ?? 100, featureName),
    constraintsJson: '[]',
    variantsJson: '[]',
    segments: [],
  };
}

function gradual(rollout: number, groupId: string): string {
  return JSON.stringify({ rollout: String(rollout), stickiness: 'default', groupId });
}
