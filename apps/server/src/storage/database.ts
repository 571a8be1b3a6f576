import type { Kysely } from 'kysely';
import type { Clock } from '../kernel/clock.ts';
import type { Limiter } from '../kernel/limiter.ts';
import { ChangeFeed } from './change-feed.ts';
import type { Engine } from './engine/engine.ts';
import type { EventText } from './engine/event-text.ts';
import { withListener } from './engine/kysely-over.ts';
import { openPostgres } from './engine/postgres.ts';
import type { BeginSearch } from './engine/search.ts';
import { openSqlite } from './engine/sqlite.ts';
import { createSeal, type Seal } from './seal.ts';
import type { Tables } from './tables.ts';
import { createWriter, type Writer } from './write.ts';

export interface Database extends Writer {
  readonly engine: Engine['name'];
  /** Names of the migrations that opening it ran. */
  readonly migrated: readonly string[];
  /** For reading. */
  readonly db: Kysely<Tables>;
  /** Begins reading that may take long: it waits for its like, so that `db` need not wait for it. */
  readonly beginSearch: BeginSearch;
  /** Encrypts secrets that the database keeps. */
  readonly seal: Seal;
  readonly eventText: EventText;
  readonly feed: ChangeFeed;
  /** A limiter of `points` in `seconds` that every process on this database shares. */
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
  /** Password under which secrets are encrypted, and the one before it, which only opens them. */
  readonly secret: string | undefined;
  readonly previousSecret: string | undefined;
}

/**
 * Opens the database the settings name, migrates it, and begins to follow its events. `describe` tells a second
 * process who holds the embedded database; `onError` hears of failures that no request is waiting on. When it
 * rejects, nothing is left open.
 */
export async function openDatabase(
  options: DatabaseOptions,
  clock: Clock,
  describe: string,
  onError: (error: unknown) => void,
): Promise<Database> {
  const seal = createSeal(options.secret, options.previousSecret);
  const engine =
    options.databaseUrl === undefined
      ? await openSqlite(options.dataDir, describe, seal, clock)
      : await openPostgres(
          { url: options.databaseUrl, schema: options.databaseSchema, poolMax: options.databasePoolMax, onError },
          seal,
          clock,
        );
  const feed = new ChangeFeed(engine.read, onError);
  try {
    await feed.start();
    await engine.listen(() => feed.wake());
  } catch (error) {
    await engine.close();
    throw error;
  }
  return {
    ...createWriter(engine, feed, clock),
    engine: engine.name,
    migrated: engine.migrated,
    db: engine.read,
    beginSearch: engine.beginSearch,
    seal,
    feed,
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

/** Returns the same database, calling `listener` with each statement that reads outside a change. */
export function withReadListener(database: Database, listener: (sql: string) => void): Database {
  return {
    ...database,
    db: withListener(database.db, listener),
    beginSearch: (options) => {
      const search = database.beginSearch(options);
      return {
        db: withListener(search.db, listener),
        get usedMs() {
          return search.usedMs;
        },
        within: (ms) => withListener(search.within(ms), listener),
      };
    },
  };
}
