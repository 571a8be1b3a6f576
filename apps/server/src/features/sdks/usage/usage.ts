import type { Clock } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { hourOf, type Period, type ReportedCount, type ToggleCounts } from './counts.ts';
import type { Instance } from './instances.ts';
import { writeUsedFlags } from './used-flags.ts';
import { writeCounts, writeInstances, writeSeenFlags } from './writers.ts';

/** The fields of an SDK instance that every report contains; its other fields arrive with the registration only. */
export type Reporter = Pick<
  Instance,
  'appName' | 'instanceId' | 'environment' | 'scope' | 'sdkVersion' | 'sdkType' | 'address'
>;

/** The counts of an SDK in a period. */
export interface Bucket extends Period {
  readonly toggles: Readonly<Record<string, ToggleCounts>>;
}

/**
 * Receives the reports of SDKs: registrations and evaluation counts. A write-behind buffer: reports never wait for the
 * database and never fail; they are added up in memory and written within seconds. While the database is unavailable
 * they stay in memory, up to a limit. A crash loses the last seconds.
 */
export interface Usage {
  registered(instance: Omit<Instance, 'seenAt'>): void;
  counted(reporter: Reporter, bucket: Bucket | null): void;
  /** Like {@link counted}, for counts from a proxy, which does not report the instance. */
  countedByProxy(application: Pick<Reporter, 'appName' | 'environment' | 'scope'>, bucket: Bucket): void;
  /** Adds what a replica has added up. */
  relay(report: { readonly instances: readonly Instance[]; readonly counts: readonly ReportedCount[] }): void;
  /** The number of flag counts dropped because their times are too old. */
  readonly dropped: number;
  /** Writes the buffered reports now. */
  flush(): Promise<void>;
  /** Writes the buffered reports and stops the timers. */
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
  /** The maximum number of applications that are added by reports. */
  readonly applicationLimit: number;
  /** Called when reports could not be written or had to be dropped. */
  readonly onError: (error: unknown) => void;
  /**
   * Called with evaluated flags after their last-seen times are written: for flags seen for the first time together
   * with their counts, for others within half a minute.
   */
  readonly seen?: (flags: readonly string[], environment: string) => Promise<void>;
}

export function createUsage(database: Database, clock: Clock, options: UsageOptions): Usage {
  const { applicationLimit, onError, seen: onSeen = async () => undefined } = options;
  const instances = writeInstances(database, applicationLimit, onError);
  // Counts of unknown applications are skipped, so new applications are written first.
  const writeApplications = () => instances.writer.flush();
  const counts = writeCounts(database, { onError: onError, beforeWrite: writeApplications, onSeen });
  const seen = writeSeenFlags(database, onError, onSeen);
  const used = writeUsedFlags(database, onError, writeApplications);
  const all = [instances, counts, seen, used];
  // A new flag with the name of a deleted one must not get what was counted before.
  database.feed.subscribe({
    events: (events) => {
      const deleted = events.filter(({ type }) => type === 'feature-deleted').map(({ feature_name }) => feature_name);
      const flags = new Set(deleted.filter((name) => name !== null));
      if (flags.size === 0) return;
      counts.forget(flags);
      seen.forget(flags);
    },
    // The buffers hold reports, and nothing that was read from the database.
    reset: () => undefined,
  });
  let dropped = 0;
  const count = (reporter: Pick<Reporter, 'appName' | 'environment' | 'scope'>, bucket: Bucket, now: number) => {
    const { appName, environment, scope } = reporter;
    const hour = hourOf(bucket, now);
    const toggles = Object.entries(bucket.toggles);
    const names = toggles.map(([name]) => name);
    if (hour === undefined) dropped += names.length;
    else
      for (const [featureName, toggle] of toggles)
        counts.add({ featureName, appName, environment, scope, hour }, toggle);
    // Also when the counts were dropped because of a wrong clock: an evaluated flag must not look unused.
    seen.add({ environment, scope }, names, now);
    used.add({ appName, environment, scope }, names, now);
  };
  return {
    registered: (instance) => instances.add({ ...instance, seenAt: clock.now() }),
    counted: (reporter, bucket) => {
      const now = clock.now();
      instances.add({ ...reporter, startedAt: null, strategies: null, seenAt: now });
      if (bucket !== null) count(reporter, bucket, now);
    },
    countedByProxy: (application, bucket) => {
      const now = clock.now();
      instances.add({ ...application, ...noInstance, seenAt: now });
      count(application, bucket, now);
    },
    relay: (report) => {
      const now = clock.now();
      for (const instance of report.instances) instances.add({ ...instance, seenAt: Math.min(instance.seenAt, now) });
      for (const { featureName, hour, yes, no, variants, ...place } of report.counts) {
        const toggles = { [featureName]: { yes, no, variants: Object.fromEntries(variants) } };
        count(place, { start: hour, stop: null, toggles }, now);
      }
    },
    get dropped() {
      return dropped;
    },
    flush: async () => {
      for (const { writer } of all) await writer.flush();
    },
    stop: async () => {
      for (const { writer } of all) await writer.stop();
    },
  };
}
