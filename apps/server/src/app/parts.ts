import type { Config } from '../config/settings.ts';
import type { FirstAdmin } from '../features/users/index.ts';
import type { Clock } from '../kernel/clock.ts';
import type { ServiceLog } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Database } from '../storage/database.ts';
import type { Lifetime } from './lifetime.ts';

/** What the features are made from. */
export interface ServiceParts {
  readonly config: Config;
  readonly clock: Clock;
  readonly database: Database;
  readonly metrics: Metrics;
  readonly log: ServiceLog;
  readonly lifetime: Lifetime;
  readonly publicUrl: () => string;
  /** Told of the first administrator at once when this process creates one. */
  readonly onFirstAdmin: (admin: FirstAdmin) => void;
}
