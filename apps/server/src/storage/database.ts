import type { Kysely } from 'kysely';
import type { Clock } from '#kernel/clock.ts';
import type { Limiter } from '#kernel/limiter.ts';
import { ChangeFeed } from './change-feed.ts';
import { epochBeginner } from './commit/begin-epoch.ts';
import { noticeRecovery, type Recovery, timelineKeeper } from './commit/timeline.ts';
import { createWriter, type Writer } from './commit/write.ts';
import { asUnusable } from './driver-errors.ts';
import type { Engine, Topic } from './engine.ts';
import type { EventText } from './event-text-search.ts';
import { unobserved } from './observer.ts';
import { migratePostgres } from './postgres/migrate.ts';
import { openPostgres } from './postgres/open-postgres.ts';
import { createSeal, type Seal } from './seal.ts';
import type { BeginSearch } from './search.ts';
import { asDiskFault } from './sqlite/disk-fault.ts';
import { migrateSqlite, openSqlite } from './sqlite/open-sqlite.ts';
import type { Tables } from './tables.ts';

export interface Database extends Writer {
  readonly engine: Engine['name'];
  /** Names of the migrations that were run when the database was opened. */
  readonly migrated: readonly string[];
  /** Set when opening the database began a new epoch of the event log; see `noticeRecovery`. */
  readonly recovery: Recovery | undefined;
  /** Stores the timeline of the database server; see `timelineKeeper`. */
  readonly keepTimeline: () => Promise<void>;
  /** Reads outside a change. */
  readonly db: Kysely<Tables>;
  /** Begins a search: reads that may take long and are scheduled among other searches, so that `db` stays fast. */
  readonly beginSearch: BeginSearch;
  /** Encrypts the secrets that the database stores. */
  readonly seal: Seal;
  readonly eventText: EventText;
  readonly feed: ChangeFeed;
  /** See `Engine.announce`. Callers do not announce events: the writer does. */
  announce(topic: Topic): void;
  /** Calls `listener` with the topics that other processes announce. */
  onAnnounced(listener: (topics: readonly Topic[]) => void): void;
  /** Creates a rate limiter of `points` per `seconds` that all processes on this database share. */
  limiter(name: string, points: number, seconds: number): Limiter;
  /** See `Engine.reclaim`. */
  reclaim(pages: number): Promise<number>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly databaseUrl: string | undefined;
  readonly databaseSchema: string;
  readonly databasePoolMax: number;
  readonly dataDir: string;
  /** The password that encrypts secrets. */
  readonly secret: string | undefined;
  /** The previous password, for reading secrets that were encrypted with it. */
  readonly previousSecret: string | undefined;
}

/**
 * Opens the configured database, migrates it and starts its change feed. `describe` names this process for another
 * process that tries to open the same data directory. `onError` is called with errors that no request is waiting for,
 * and `observer` with the times of statements. Closes everything when it rejects.
 */
export async function openDatabase(
  options: DatabaseOptions,
  clock: Clock,
  describe: string,
  onError: (error: unknown) => void,
  observer = unobserved,
): Promise<Database> {
  const seal = createSeal(options.secret, options.previousSecret);
  const engine =
    options.databaseUrl === undefined
      ? await openSqlite(options.dataDir, describe, { seal, clock, observer }).catch((error: unknown) => {
          throw asDiskFault(error, options.dataDir);
        })
      : await openPostgres(
          { url: options.databaseUrl, schema: options.databaseSchema, poolMax: options.databasePoolMax, onError },
          { seal, clock, observer },
        );
  const feed = new ChangeFeed(engine.read, epochBeginner(engine, clock), onError);
  const announced: ((topics: readonly Topic[]) => void)[] = [];
  let recovery: Recovery | undefined;
  try {
    recovery = await noticeRecovery(engine, clock);
    await feed.start();
    await engine.listen((topics) => {
      if (topics.length === 0 || topics.includes('events')) feed.wake();
      for (const listener of announced) listener(topics);
    });
  } catch (error) {
    await engine.close();
    throw error;
  }
  const writer = createWriter(engine, feed, clock);
  return {
    ...writer,
    engine: engine.name,
    migrated: engine.migrated,
    recovery,
    keepTimeline: timelineKeeper(engine, writer),
    db: engine.read,
    beginSearch: engine.beginSearch,
    seal,
    feed,
    announce: engine.announce,
    onAnnounced: (listener) => void announced.push(listener),
    limiter: engine.limiter,
    eventText: engine.eventText,
    reclaim: engine.reclaim,
    ping: engine.ping,
    close: async () => {
      await feed.stop();
      await engine.close();
    },
  };
}

/**
 * Runs the migrations of the configured database up to `last`, and creates the database when it is missing. `describe`
 * names this process for another process that tries to open the same data directory. Rejects with a `DatabaseUnusable`
 * when PostgreSQL cannot be reached.
 */
export async function migrateDatabase(
  { databaseUrl: url, databaseSchema: schema, dataDir }: DatabaseOptions,
  last: string,
  describe: string,
  onError: (error: unknown) => void,
): Promise<void> {
  if (url === undefined)
    await migrateSqlite(dataDir, describe, createSeal(undefined, undefined), last).catch((error: unknown) => {
      throw asDiskFault(error, dataDir);
    });
  else
    await migratePostgres({ url, schema, onError }, last).catch((error) => {
      throw asUnusable(error, url);
    });
}
