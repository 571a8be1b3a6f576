import { WriteBehind } from '../../jobs/write-behind.ts';
import { type Author, systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import { addCounts } from './count-store.ts';
import { CountBuffer, type HourlyCount } from './counts.ts';
import { createApplication, saveInstances, unknownApplications } from './instance-store.ts';
import { type Instance, InstanceBuffer } from './instances.ts';
import { noFlags, noteFlags, type SeenFlags, saveSeenFlags } from './last-seen.ts';

const author: Author = { actor: systemActor, cause: {} };
const maxSums = 50_000;
const maxInstances = 2000;
const maxSeenFlags = 10_000;
const writeEveryMs = 3000;
const noteSeenEveryMs = 30_000;

/** Adds up counts and writes them within seconds. */
export function writeCounts(database: Database, onError: (error: unknown) => void) {
  const buffer = new CountBuffer(maxSums);
  const behind = new WriteBehind<readonly HourlyCount[]>({
    delayMs: writeEveryMs,
    take: () => {
      const { counts, leftOut } = buffer.take();
      if (leftOut > 0) onError(new Error(`there was no room for ${leftOut} counts of evaluations`));
      return counts.length === 0 ? undefined : counts;
    },
    write: (batch) => database.writeQuietly('usage metrics', author, (tx) => addCounts(tx, batch)),
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

/** Keeps what instances tell and writes it within seconds, with applications that are new. */
export function writeInstances(database: Database, onError: (error: unknown) => void) {
  const buffer = new InstanceBuffer(maxInstances);
  const behind = new WriteBehind<readonly Instance[]>({
    delayMs: writeEveryMs,
    take: () => {
      const { instances, leftOut } = buffer.take();
      if (leftOut > 0) onError(new Error(`there was no room for ${leftOut} reports of instances`));
      return instances.length === 0 ? undefined : instances;
    },
    write: async (batch) => {
      await createUnknown(database, batch);
      await database.writeQuietly('usage metrics', author, (tx) => saveInstances(tx, batch));
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

async function createUnknown(database: Database, batch: readonly Instance[]): Promise<void> {
  const strategies = new Map<string, readonly string[]>();
  for (const { appName, strategies: known } of batch) strategies.set(appName, known ?? strategies.get(appName) ?? []);
  const unknown = await unknownApplications(database.db, [...strategies.keys()]);
  if (unknown.length === 0) return;
  await database.write(author, async (tx) => {
    // Another process may have been first.
    for (const name of await unknownApplications(tx.db, unknown)) {
      await createApplication(tx, name, strategies.get(name) ?? []);
    }
  });
}

/** Notes which flags were evaluated and writes it twice a minute. */
export function writeSeenFlags(database: Database, onError: (error: unknown) => void) {
  let waiting = noFlags();
  const behind = new WriteBehind<SeenFlags>({
    delayMs: noteSeenEveryMs,
    take: () => {
      const batch = waiting;
      waiting = noFlags();
      return batch.byEnvironment.size === 0 ? undefined : batch;
    },
    write: (batch) => database.writeQuietly('last seen', author, (tx) => saveSeenFlags(tx, batch)),
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
