import type {
  defaultStrategyRoutes,
  featureArchiveRoutes,
  featureDependencyRoutes,
  featureEnvironmentRoutes,
  featureLifecycleRoutes,
  featureLinkRoutes,
  featureRoutes,
  featureTagRoutes,
  featureTypeRoutes,
  featureVariantRoutes,
  flagCreatorRoutes,
  strategyRoutes,
  strategySegmentRoutes,
} from '@yardarm/contract';
import { defaultStrategyHandlers } from '#features/flags/default-strategies/index.ts';
import { featureDependencyHandlers } from '#features/flags/dependencies/index.ts';
import { featureLifecycleHandlers } from '#features/flags/lifecycle/index.ts';
import { featureLinkHandlers } from '#features/flags/links/index.ts';
import type { PlanReader } from '#features/flags/reading/index.ts';
import { type StrategyLimits, strategyHandlers, strategySegmentHandlers } from '#features/flags/strategies/index.ts';
import { featureVariantHandlers } from '#features/flags/variants/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { featureArchiveHandlers, featureHandlers } from './editing/index.ts';
import { featureTagHandlers } from './flag-tags/index.ts';
import { featureTypeHandlers, flagCreatorHandlers } from './flag-types/index.ts';
import { featureEnvironmentHandlers } from './toggling/index.ts';

export interface FlagLimits extends StrategyLimits {
  /** Limit of the flags that are not archived. */
  readonly features: number;
}

type FlagHandlers = Handlers<typeof defaultStrategyRoutes> &
  Handlers<typeof featureRoutes> &
  Handlers<typeof featureArchiveRoutes> &
  Handlers<typeof featureDependencyRoutes> &
  Handlers<typeof featureEnvironmentRoutes> &
  Handlers<typeof featureLifecycleRoutes> &
  Handlers<typeof featureLinkRoutes> &
  Handlers<typeof featureTagRoutes> &
  Handlers<typeof featureVariantRoutes> &
  Handlers<typeof featureTypeRoutes> &
  Handlers<typeof flagCreatorRoutes> &
  Handlers<typeof strategyRoutes> &
  Handlers<typeof strategySegmentRoutes>;

/** Returns the handlers of all flag routes. */
export function flagHandlers(database: Database, limits: FlagLimits, readPlans: PlanReader): FlagHandlers {
  return {
    ...defaultStrategyHandlers(database, limits),
    ...featureHandlers(database, limits.features, readPlans),
    ...featureArchiveHandlers(database, limits.features),
    ...featureDependencyHandlers(database),
    ...featureEnvironmentHandlers(database, readPlans),
    ...featureLifecycleHandlers(database),
    ...featureLinkHandlers(database),
    ...featureTagHandlers(database),
    ...featureVariantHandlers(database),
    ...featureTypeHandlers(database),
    ...flagCreatorHandlers(database),
    ...strategyHandlers(database, limits),
    ...strategySegmentHandlers(database, limits),
  };
}
