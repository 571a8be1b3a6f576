import type { CopyEnvironmentData } from '../environments/index.ts';
import { copyDefaults } from './default-strategies/index.ts';
import { copyStates } from './states/index.ts';
import { copyStrategies } from './strategies/index.ts';
import { copyVariants } from './variants/index.ts';

/**
 * Copies what flags of projects, archived ones included, have in an environment into another one in which they have
 * nothing. The new environment tells of it: flags get no events of their own, as they get none when one is deleted.
 */
export const copyFlagsOfEnvironment: CopyEnvironmentData = async (tx, copy) => {
  if (copy.projects.length === 0) return;
  await copyStates(tx, copy);
  await copyVariants(tx, copy);
  await copyStrategies(tx, copy);
  await copyDefaults(tx, copy);
};
