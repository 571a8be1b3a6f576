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
import { featureTagHandlers } from '#features/flags/flags/tags/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { defaultStrategyHandlers } from './default-strategies/index.ts';
import { featureDependencyHandlers } from './dependencies/index.ts';
import { featureArchiveHandlers, featureHandlers } from './editing/index.ts';
import { featureTypeHandlers, flagCreatorHandlers } from './flag-types/index.ts';
import { featureLifecycleHandlers } from './lifecycle/index.ts';
import { featureLinkHandlers } from './links/index.ts';
import type { PlanReader } from './reading/index.ts';
import { type StrategyLimits, strategyHandlers, strategySegmentHandlers } from './strategies/index.ts';
import { featureEnvironmentHandlers } from './toggling/index.ts';
import { featureVariantHandlers } from './variants/index.ts';

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
