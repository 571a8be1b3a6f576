import type { StatePlan } from '#features/as-code/state/index.ts';
import { payloadFaults, strategyFaults } from '#features/flags/strategies/index.ts';
import { listStrategyTypes } from '#features/flags/strategy-types/index.ts';
import type { Db } from '#storage/tx.ts';

/**
 * Returns the existing flags of a plan that keep values in an environment which new flags could not have, because SDKs
 * read them differently (ADR 98).
 */
export async function flagsWithKeptValues(db: Db, { flags }: StatePlan, environment: string): Promise<string[]> {
  const types = new Map((await listStrategyTypes(db)).map((type) => [type.name, type]));
  const kept = flags.filter(({ before, after }) => {
    const { strategies = [], variants = [] } = after.environments.get(environment) ?? {};
    const faults = strategies.flatMap((strategy) => strategyFaults(strategy, types.get(strategy.name)));
    return before !== undefined && faults.length + payloadFaults(variants).length > 0;
  });
  return kept.map(({ after }) => after.feature.name);
}
