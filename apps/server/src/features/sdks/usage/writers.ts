import { countReported, createApplication, knownApplications } from '#features/sdks/applications/index.ts';
import { WriteBehind } from '#jobs/write-behind.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import { addCounts } from './count-store.ts';
import { CountBuffer, type ReportedCount } from './counts.ts';
import { saveInstances, trimInstances } from './instance-store.ts';
import { type Instance, InstanceBuffer, instanceKey } from './instances.ts';
import { KnownKeys } from './known-keys.ts';
import {
  addSeenFlags,
  type FlagsByEnvironment,
  flagsInScope,
  neverSeen,
  noFlags,
  type ReportedFlags,
  type SeenFlags,
  saveSeenFlags,
} from './last-seen.ts';

const author: Author = { actor: systemActor, cause: {} };
const maxSums = 50_000;
/** Enough for 5000 flags in 20 applications. The limit keeps invented names from filling the database. */
const maxSumsPerHour = 100_000;
const maxInstances = 2000;
/**
 * The number of written instances to remember. The limit of instances is checked only for applications with new
 * instances.
 */
const maxKnown = 20_000;
const maxSeenFlags = 10_000;
const writeEveryMs = 3000;
const writeSeenEveryMs = 30_000;

/** Names of flags by environment. */
type FlagNames = ReadonlyMap<string, readonly string[]>;

type OnSeen = (flags: readonly string[], environment: string) => Promise<void>;

interface CountOptions {
  readonly onError: (error: unknown) => void;
  readonly beforeWrite: () => Promise<void>;
  readonly onSeen: OnSeen;
}

/** Adds up counts and writes them within seconds. The first counts of a flag also set its last-seen time. */
export function writeCounts(database: Database, { onError, beforeWrite, onSeen }: CountOptions) {
  const buffer = new CountBuffer(maxSums, maxSumsPerHour);
  const writer = new WriteBehind<readonly ReportedCount[]>({
    delayMs: writeEveryMs,
    take: () => {
      const { counts, dropped } = buffer.take();
      if (dropped > 0) onError(new Error(`the buffer of usage counts is full: dropped ${dropped} counts`));
      return counts.length === 0 ? undefined : counts;
    },
    write: async (batch) => {
      await beforeWrite();
      const firstSeen = await saveFirstSeen(database, batch);
      await database.writeQuietly('usage metrics', author, (tx) => addCounts(tx, batch));
      for (const [environment, names] of firstSeen) await onSeen(names, environment).catch(onError);
    },
    giveBack: (batch) => {
      for (const count of batch) buffer.add(count, { ...count, variants: Object.fromEntries(count.variants) });
    },
    onError,
  });
  return {
    writer,
    forget: (flags: ReadonlySet<string>) => buffer.forget(flags),
    add: (...count: Parameters<CountBuffer['add']>) => {
      buffer.add(...count);
      writer.wake();
    },
  };
}

/** Stores the last-seen time of the flags that are seen for the first time, and returns them. */
async function saveFirstSeen(database: Database, counts: readonly ReportedCount[]): Promise<FlagNames> {
  const unseen = await neverSeen(database.db, flagsOf(counts));
  if (unseen.size === 0) return unseen;
  const isUnseen = ({ environment, featureName }: ReportedCount) => unseen.get(environment)?.includes(featureName);
  const reports = counts.filter(isUnseen).map((count) => ({ ...count, names: [count.featureName] }));
  const inScope = await flagsInScope(database.db, reports);
  const first = new Map([...inScope].map(([environment, names]) => [environment, [...names]]));
  await database.writeQuietly('last seen', author, (tx) => saveSeenFlags(tx, { at: tx.now, byEnvironment: first }));
  return first;
}

function flagsOf(counts: readonly ReportedCount[]): FlagsByEnvironment {
  const byEnvironment = Map.groupBy(counts, ({ environment }) => environment);
  return new Map(
    [...byEnvironment].map(([environment, group]) => [
      environment,
      [...new Set(group.map(({ featureName }) => featureName))].toSorted(),
    ]),
  );
}

/** Buffers reports of instances and writes them within seconds. Adds new applications up to `limit`. */
export function writeInstances(database: Database, limit: number, onError: (error: unknown) => void) {
  const buffer = new InstanceBuffer(maxInstances);
  const known = new KnownKeys(database.feed, maxKnown);
  const writer = new WriteBehind<readonly Instance[]>({
    delayMs: writeEveryMs,
    take: () => {
      const { instances, dropped } = buffer.take();
      if (dropped > 0) onError(new Error(`the buffer of SDK instances is full: dropped ${dropped} reports`));
      return instances.length === 0 ? undefined : instances;
    },
    write: async (batch) => {
      const admitted = await admit(database, batch, limit, onError);
      const accepted = batch.filter(({ appName }) => admitted.has(appName));
      if (accepted.length === 0) return;
      await database.writeQuietly('usage metrics', author, async (tx) => {
        await saveInstances(tx, accepted);
        const fresh = accepted.filter((instance) => !known.has(instanceKey(instance)));
        await trimInstances(tx, new Set(fresh.map(({ appName }) => appName)));
      });
      for (const instance of accepted) known.add(instanceKey(instance));
    },
    giveBack: (batch) => {
      for (const instance of batch) buffer.add(instance);
    },
    onError,
  });
  return {
    writer,
    add: (instance: Instance) => {
      buffer.add(instance);
      writer.wake();
    },
  };
}

/** Returns the known applications of a batch, after adding new ones up to `limit`. */
async function admit(
  database: Database,
  batch: readonly Instance[],
  limit: number,
  onError: (error: unknown) => void,
): Promise<Set<string>> {
  const strategies = new Map<string, readonly string[] | null>();
  for (const { appName, strategies: reported } of batch)
    strategies.set(appName, reported ?? strategies.get(appName) ?? null);
  const names = [...strategies.keys()];
  const known = await knownApplications(database.db, names);
  if (known.size === names.length) return known;
  return database.write(author, async (tx) => {
    // Another process may have added some in the meantime.
    const existing = await knownApplications(tx.db, names);
    const unknown = names.filter((name) => !existing.has(name));
    const room = Math.max(0, limit - (await countReported(tx.db)));
    for (const appName of unknown.slice(0, room)) {
      const reported = strategies.get(appName) ?? null;
      await createApplication(tx, {
        ...undescribed,
        appName,
        strategies: reported ?? [],
        announced: reported !== null,
      });
      existing.add(appName);
    }
    if (unknown.length > room)
      onError(new Error(`the limit of ${limit} reported applications is reached: ignored ${unknown.length - room}`));
    return existing;
  });
}

const undescribed = { described: false, description: null, url: null, color: null, icon: null };

/** Buffers which flags were evaluated, and writes their last-seen times twice a minute. */
export function writeSeenFlags(database: Database, onError: (error: unknown) => void, onSeen: OnSeen) {
  let pending = noFlags();
  const writer = new WriteBehind<SeenFlags>({
    delayMs: writeSeenEveryMs,
    take: () => {
      const batch = pending;
      pending = noFlags();
      return batch.groups.size === 0 ? undefined : batch;
    },
    write: async (batch) => {
      const byEnvironment = await flagsInScope(database.db, batch.groups.values());
      await database.writeQuietly('last seen', author, (tx) => saveSeenFlags(tx, { at: batch.at, byEnvironment }));
      for (const [environment, names] of byEnvironment) await onSeen([...names], environment);
    },
    giveBack: (batch) => {
      for (const group of batch.groups.values()) addSeenFlags(pending, group, batch.at, maxSeenFlags);
    },
    onError,
  });
  return {
    writer,
    forget: (flags: ReadonlySet<string>) => {
      for (const { names } of pending.groups.values()) for (const name of flags) names.delete(name);
    },
    add: (reporter: Pick<ReportedFlags, 'environment' | 'scope'>, names: readonly string[], at: number) => {
      addSeenFlags(pending, { ...reporter, names }, at, maxSeenFlags);
      writer.wake();
    },
  };
}
