import { WriteBehind } from '../../jobs/write-behind.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import { countReported, createApplication, knownApplications } from '../applications/index.ts';
import { addCounts } from './count-store.ts';
import { CountBuffer, type HourlyCount } from './counts.ts';
import { saveInstances, trimInstances } from './instance-store.ts';
import { type Instance, InstanceBuffer, instanceKey } from './instances.ts';
import { KnownKeys } from './known-keys.ts';
import { type FlagsByEnvironment, neverSeen, noFlags, noteFlags, type SeenFlags, saveSeenFlags } from './last-seen.ts';

const author: Author = { actor: systemActor, cause: {} };
const maxSums = 50_000;
/** Most sums of one hour: five thousand flags in twenty applications. What is made up beyond that is not kept. */
const maxSumsAnHour = 100_000;
const maxInstances = 2000;
/** Instances that are remembered as written, so that only new ones are counted against the most there may be. */
const maxKnown = 20_000;
const maxSeenFlags = 10_000;
const writeEveryMs = 3000;
const noteSeenEveryMs = 30_000;

type OnSeen = (flags: readonly string[], environment: string) => Promise<void>;

interface CountOptions {
  readonly onError: (error: unknown) => void;
  /** Done before counts are written. */
  readonly first: () => Promise<void>;
  readonly onSeen: OnSeen;
}

/** Adds up counts and writes them within seconds. A flag is seen as soon as it has any: it is never told to have counts and to be unknown to SDKs. */
export function writeCounts(database: Database, { onError, first, onSeen }: CountOptions) {
  const buffer = new CountBuffer(maxSums, maxSumsAnHour);
  const behind = new WriteBehind<readonly HourlyCount[]>({
    delayMs: writeEveryMs,
    take: () => {
      const { counts, leftOut } = buffer.take();
      if (leftOut > 0) onError(new Error(`there was no room for ${leftOut} counts of evaluations`));
      return counts.length === 0 ? undefined : counts;
    },
    write: async (batch) => {
      await first();
      const fresh = await noteFirstSeen(database, flagsOf(batch));
      await database.writeQuietly('usage metrics', author, (tx) => addCounts(tx, batch));
      for (const [environment, names] of fresh) await onSeen(names, environment).catch(onError);
    },
    giveBack: (batch) => {
      for (const count of batch) buffer.add(count, { ...count, variants: Object.fromEntries(count.variants) });
    },
    onError,
  });
  return {
    behind,
    note: (...added: Parameters<CountBuffer['add']>) => {
      buffer.add(...added);
      behind.wake();
    },
  };
}

/** Notes which of the flags are seen for the first time, and answers them. Most of the time there are none, and nothing is written. */
async function noteFirstSeen(database: Database, byEnvironment: FlagsByEnvironment) {
  const unseen = await neverSeen(database.db, byEnvironment);
  if (unseen.size > 0)
    await database.writeQuietly('last seen', author, (tx) => saveSeenFlags(tx, { at: tx.now, byEnvironment: unseen }));
  return unseen;
}

/** The flags that were counted, by environment. */
function flagsOf(counts: readonly HourlyCount[]): FlagsByEnvironment {
  const byEnvironment = Map.groupBy(counts, ({ environment }) => environment);
  return new Map(
    [...byEnvironment].map(([environment, some]) => [
      environment,
      [...new Set(some.map(({ featureName }) => featureName))].toSorted(),
    ]),
  );
}

/** Keeps what instances tell and writes it within seconds, with applications that are new as long as there is room. */
export function writeInstances(database: Database, limit: number, onError: (error: unknown) => void) {
  const buffer = new InstanceBuffer(maxInstances);
  const known = new KnownKeys(maxKnown);
  const behind = new WriteBehind<readonly Instance[]>({
    delayMs: writeEveryMs,
    take: () => {
      const { instances, leftOut } = buffer.take();
      if (leftOut > 0) onError(new Error(`there was no room for ${leftOut} reports of instances`));
      return instances.length === 0 ? undefined : instances;
    },
    write: async (batch) => {
      const admitted = await admit(database, batch, limit, onError);
      const some = batch.filter(({ appName }) => admitted.has(appName));
      if (some.length === 0) return;
      await database.writeQuietly('usage metrics', author, async (tx) => {
        await saveInstances(tx, some);
        const fresh = some.filter((instance) => !known.has(instanceKey(instance)));
        await trimInstances(tx, new Set(fresh.map(({ appName }) => appName)));
      });
      for (const instance of some) known.add(instanceKey(instance));
    },
    giveBack: (batch) => {
      for (const instance of batch) buffer.add(instance);
    },
    onError,
  });
  return {
    behind,
    note: (instance: Instance) => {
      buffer.add(instance);
      behind.wake();
    },
  };
}

/** The applications of a batch that there are now: those that are new are added while there are fewer than `limit`. */
async function admit(
  database: Database,
  batch: readonly Instance[],
  limit: number,
  onError: (error: unknown) => void,
): Promise<Set<string>> {
  const strategies = new Map<string, readonly string[] | null>();
  for (const { appName, strategies: told } of batch) strategies.set(appName, told ?? strategies.get(appName) ?? null);
  const names = [...strategies.keys()];
  const known = await knownApplications(database.db, names);
  if (known.size === names.length) return known;
  return database.write(author, async (tx) => {
    // Another process may have been first.
    const there = await knownApplications(tx.db, names);
    const unknown = names.filter((name) => !there.has(name));
    const room = Math.max(0, limit - (await countReported(tx.db)));
    for (const appName of unknown.slice(0, room)) {
      const told = strategies.get(appName) ?? null;
      await createApplication(tx, { ...asReported, appName, strategies: told ?? [], announced: told !== null });
      there.add(appName);
    }
    if (unknown.length > room) onError(new Error(`there is no room for ${unknown.length - room} more applications`));
    return there;
  });
}

const asReported = { described: false, description: null, url: null, color: null, icon: null };

/** Notes which flags were evaluated and writes it twice a minute. */
export function writeSeenFlags(database: Database, onError: (error: unknown) => void, onSeen: OnSeen) {
  let waiting = noFlags();
  const behind = new WriteBehind<SeenFlags>({
    delayMs: noteSeenEveryMs,
    take: () => {
      const batch = waiting;
      waiting = noFlags();
      return batch.byEnvironment.size === 0 ? undefined : batch;
    },
    write: async (batch) => {
      await database.writeQuietly('last seen', author, (tx) => saveSeenFlags(tx, batch));
      for (const [environment, names] of batch.byEnvironment) await onSeen([...names], environment);
    },
    giveBack: (batch) => {
      for (const [environment, names] of batch.byEnvironment)
        noteFlags(waiting, environment, names, batch.at, maxSeenFlags);
    },
    onError,
  });
  return {
    behind,
    note: (environment: string, names: readonly string[], at: number) => {
      noteFlags(waiting, environment, names, at, maxSeenFlags);
      behind.wake();
    },
  };
}
