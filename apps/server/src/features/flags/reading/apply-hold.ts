import { type HeldMilestone, type HoldEffect, percentageParameters } from '#features/flags/held-state/index.ts';
import { strategyColumns } from '#features/flags/strategies/index.ts';
import { type ClientFeatureEnvironment, type ClientStrategy, toClientStrategy } from './client-feature.ts';

/**
 * Returns the effective state of a held flag: off; or on with its configured strategies, at the percentage of the hold
 * if it has one; or, where a milestone of a release plan holds it, as configured with the strategies of that milestone.
 */
export function applyHold(
  configured: ClientFeatureEnvironment,
  hold: HoldEffect,
  featureName: string,
): ClientFeatureEnvironment {
  if (hold.effect === 'off') return { ...configured, enabled: false };
  const { rollout, milestone } = hold;
  if (milestone !== null) return { ...configured, strategies: withMilestone(configured.strategies, milestone) };
  const strategies = configured.strategies.map((strategy) =>
    rollout === null ? strategy : withRollout(strategy, rollout, featureName),
  );
  if (strategies.some(({ disabled }) => !disabled)) return { ...configured, enabled: true, strategies };
  // SDKs treat a flag without strategies as on for everyone (ADR 7), so a flag without strategies is on only when the
  // hold is `forEveryone`.
  if (!hold.forEveryone) return { ...configured, enabled: false, strategies };
  return { ...configured, enabled: true, strategies: [...strategies, forEveryone(hold, featureName)] };
}

/** Returns the flag's own strategies, then those of the milestone. */
function withMilestone(configured: readonly ClientStrategy[], { replaces, strategies }: HeldMilestone) {
  const own = configured.filter(({ id }) => !replaces.includes(id));
  return [...own, ...strategies.map(toClientStrategy)];
}

/**
 * Replaces the percentage of a strategy. A strategy for everyone becomes a gradual rollout. Strategies that list users
 * and custom strategies have no percentage and stay unchanged.
 */
function withRollout(strategy: ClientStrategy, rollout: number, featureName: string): ClientStrategy {
  if (strategy.name === 'default') {
    return { ...strategy, name: 'flexibleRollout', parametersJson: gradual(rollout, featureName) };
  }
  const parameter = percentageParameters[strategy.name];
  if (parameter === undefined) return strategy;
  const parameters = {
    ...strategyColumns.parameters.parse(strategy.parametersJson, strategy.id),
    [parameter]: String(rollout),
  };
  return { ...strategy, parametersJson: strategyColumns.parameters.write(parameters) };
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
