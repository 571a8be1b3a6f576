import type { Clock } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { hourOf, type Span, type ToggleCounts } from './counts.ts';
import type { Instance } from './instances.ts';
import { writeUsedFlags } from './used-flags.ts';
import { writeCounts, writeInstances, writeSeenFlags } from './writers.ts';

/** An SDK that reports, without what only a registration tells. */
export type Reporter = Pick<Instance, 'appName' | 'instanceId' | 'environment' | 'sdkVersion' | 'sdkType' | 'address'>;

/** What an SDK has counted in a span of time. */
export interface Bucket extends Span {
  readonly toggles: Readonly<Record<string, ToggleCounts>>;
}

/**
 * What SDKs tell of themselves and of the flags they evaluate. Telling never waits for the database and never
 * fails: it is kept in memory, added up, and written within seconds. While the database is away it waits, up to a
 * bound. A crash loses the last seconds of it.
 */
export interface Usage {
  registered(instance: Omit<Instance, 'seenAt'>): void;
  counted(reporter: Reporter, bucket: Bucket | null): void;
  /** {@link counted} by an application of which the reporter, a proxy, does not say which instance it was. */
  countedBehind(application: Pick<Reporter, 'appName' | 'environment'>, bucket: Bucket): void;
  /** Counts of flags that were dropped because their times are too old or in the future. */
  readonly dropped: number;
  /** Writes what waits now instead of within seconds. */
  flush(): Promise<void>;
  /** Writes what waits a last time. */
  stop(): Promise<void>;
}

const noInstance = {
  instanceId: null,
  sdkVersion: null,
  sdkType: 'backend',
  startedAt: null,
  strategies: null,
  address: null,
} as const;

export interface UsageOptions {
  /** Most applications that SDKs make known by reporting under their names. */
  readonly applicationLimit: number;
  /** Hears of what could not be written or kept. */
  readonly onError: (error: unknown) => void;
  /** Told which flags were evaluated in an environment, once their last-seen times are written: of new ones with their counts, else within half a minute. */
  readonly seen?: (flags: readonly string[], environment: string) => Promise<void>;
}

export function createUsage(database: Database, clock: Clock, options: UsageOptions): Usage {
  const { applicationLimit, onError, seen: onSeen = async () => undefined } = options;
  const instances = writeInstances(database, applicationLimit, onError);
  // Only what is counted by applications that there are is kept: new ones are written first.
  const first = () => instances.behind.flush();
  const counts = writeCounts(database, { onError: onError, first, onSeen });
  const seen = writeSeenFlags(database, onError, onSeen);
  const used = writeUsedFlags(database, onError, first);
  const all = [instances, counts, seen, used];
  let dropped = 0;
  const count = ({ appName, environment }: Pick<Reporter, 'appName' | 'environment'>, bucket: Bucket, now: number) => {
    const hour = hourOf(bucket, now);
    const names = Object.keys(bucket.toggles);
    if (hour === undefined) dropped += names.length;
    else
      for (const featureName of names)
        counts.note({ featureName, appName, environment, hour }, bucket.toggles[featureName] as ToggleCounts);
    // Also those of a wrong clock: a flag that is evaluated must not look unused.
    seen.note(environment, names, now);
    used.note(appName, environment, names, now);
  };
  return {
    registered: (instance) => instances.note({ ...instance, seenAt: clock.now() }),
    counted: (reporter, bucket) => {
      const now = clock.now();
      instances.note({ ...reporter, startedAt: null, strategies: null, seenAt: now });
      if (bucket !== null) count(reporter, bucket, now);
    },
    countedBehind: (application, bucket) => {
      const now = clock.now();
      instances.note({ ...application, ...noInstance, seenAt: now });
      count(application, bucket, now);
    },
    get dropped() {
      return dropped;
    },
    flush: async () => {
      for (const one of all) await one.behind.flush();
    },
    stop: async () => {
      for (const one of all) await one.behind.stop();
    },
  };
}
