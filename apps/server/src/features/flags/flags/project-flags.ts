import { defaultsByEnvironment, setDefaultStrategy } from '#features/flags/default-strategies/index.ts';
import { listArchived } from '#features/flags/feature/index.ts';
import { lifecycleSummary } from '#features/flags/lifecycle/index.ts';
import { addStates, removeStates } from '#features/flags/states/index.ts';
import type { StrategyLimits } from '#features/flags/strategies/index.ts';
import type { ProjectFlags } from '#features/projects/projects/index.ts';
import { chunksOf } from '#kernel/lists.ts';
import { deleteFeatures } from './editing/index.ts';
import { flagPeriodCounts, flagStatistics, leadTimes, oldestFlags } from './health/index.ts';
import { recordLostHolds } from './lost-holds.ts';

/** The functions on flags that the projects feature needs. */
export const projectFlags = (limits: StrategyLimits): ProjectFlags => ({
  defaultStrategies: defaultsByEnvironment,
  setDefaultStrategy: async (tx, place, input) => void (await setDefaultStrategy(tx, limits, place, input)),
  statistics: flagStatistics,
  oldest: oldestFlags,
  windows: flagPeriodCounts,
  leadTimes,
  lifecycle: lifecycleSummary,
  connect: addStates,
  disconnect: async (tx, project, environment) => {
    await recordLostHolds(tx, environment, project);
    await removeStates(tx, project, environment);
  },
  deleteArchived: async (tx, project) => {
    const names = await listArchived(tx.db, project);
    for (const featureNames of chunksOf(names)) await deleteFeatures(tx, { project, featureNames });
  },
});
