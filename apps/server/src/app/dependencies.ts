import type { Config } from '#config/settings.ts';
import type { FirstAdmin } from '#features/people/users/index.ts';
import type { FetchText } from '#features/signals/signal-sources/index.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServiceLog } from '#observe/log.ts';
import type { Metrics } from '#observe/metrics.ts';
import type { Database } from '#storage/database.ts';
import type { Lifetime } from './lifetime.ts';

/** The dependencies from which the features are built. */
export interface ServiceDependencies {
  readonly config: Config;
  readonly clock: Clock;
  readonly database: Database;
  readonly metrics: Metrics;
  readonly log: ServiceLog;
  readonly lifetime: Lifetime;
  readonly publicUrl: () => string;
  /** Called when this process creates the first administrator. */
  readonly onFirstAdmin: (admin: FirstAdmin) => void;
  /** How long refusals are counted before the first event about them is recorded, in milliseconds. */
  readonly firstCountMs: number;
  /** Reads a text, such as a certificate, from the servers of a sender. */
  readonly fetchText: FetchText;
}
