import type {
  featureArchiveRoutes,
  featureEnvironmentRoutes,
  featureRoutes,
  featureTagRoutes,
  strategyRoutes,
  strategySegmentRoutes,
} from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import type { Database } from '../../storage/database.ts';
import { featureArchiveHandlers, featureHandlers } from './feature-routes.ts';
import { featureEnvironmentHandlers } from './state-routes.ts';
import type { StrategyLimits } from './strategy.ts';
import { strategyHandlers } from './strategy-routes.ts';
import { strategySegmentHandlers } from './strategy-segment-routes.ts';
import { featureTagHandlers } from './tag-routes.ts';

export interface FlagLimits extends StrategyLimits {
  /** Flags that are not archived. */
  readonly features: number;
}

type FlagHandlers = Handlers<typeof featureRoutes> &
  Handlers<typeof featureArchiveRoutes> &
  Handlers<typeof featureEnvironmentRoutes> &
  Handlers<typeof featureTagRoutes> &
  Handlers<typeof strategyRoutes> &
  Handlers<typeof strategySegmentRoutes>;

/** All routes of flags and what belongs to them. */
export function flagHandlers(database: Database, limits: FlagLimits): FlagHandlers {
  return {
    ...featureHandlers(database, limits.features),
    ...featureArchiveHandlers(database, limits.features),
    ...featureEnvironmentHandlers(database),
    ...featureTagHandlers(database),
    ...strategyHandlers(database, limits),
    ...strategySegmentHandlers(database, limits),
  };
}
