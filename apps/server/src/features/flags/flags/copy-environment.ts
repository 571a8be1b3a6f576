import { copyDefaults } from '#features/flags/default-strategies/index.ts';
import { copyStates } from '#features/flags/states/index.ts';
import { copyStrategies } from '#features/flags/strategies/index.ts';
import { copyVariants } from '#features/flags/variants/index.ts';
import type { CopyEnvironmentData } from '#features/projects/environments/index.ts';

/**
 * Copies the states, variants, strategies and default strategies of an environment, those of archived flags included,
 * to another environment in which the flags have none. Records no events of flags: the event of the new environment
 * covers them.
 */
export const copyFlagsOfEnvironment: CopyEnvironmentData = async (tx, copy) => {
  if (copy.projects.length === 0) return;
  await copyStates(tx, copy);
  await copyVariants(tx, copy);
  await copyStrategies(tx, copy);
  await copyDefaults(tx, copy);
};
