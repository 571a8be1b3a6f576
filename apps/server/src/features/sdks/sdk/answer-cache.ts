import { compress, type Encoding, encodingFor } from '#http/content-encoding.ts';
import { type AnswerFormat, assemble, type LogEnd, needsSeveralTurns, serializeFlags } from './answer-body.ts';
import type { FeatureQuery } from './feature-query.ts';
import type { Snapshot } from './snapshot.ts';
import type { SnapshotFlag } from './snapshot-flag.ts';

/** An encoded answer, ready to send. */
export interface CachedAnswer {
  readonly position: LogEnd;
  readonly etag: string;
  readonly encoding: Encoding;
  readonly bytes: Buffer;
}

/** The assumed overhead of a cache entry, so that many small entries cannot exceed the limit of the cache. */
const entryBytes = 1024;

/** The answer to a query at one position of the log, in the encodings requested so far. */
interface CacheEntry {
  readonly key: string;
  readonly environment: string;
  readonly position: LogEnd;
  readonly etag: string;
  readonly identity: Buffer;
  readonly compressed: Map<Encoding, Buffer | Promise<Buffer>>;
  size: number;
}

/**
 * Caches the encoded answers to feature queries in one format. An answer is built at the first request after a change,
 * once for all concurrent requests. The cache holds up to `maxBytes` and evicts the least recently used entry first.
 */
export class AnswerCache {
  readonly #snapshot: Snapshot;
  readonly #format: AnswerFormat;
  readonly #maxBytes: number;
  /** In the order of last use. */
  readonly #entries = new Map<string, CacheEntry>();
  readonly #pending = new Map<string, Promise<CacheEntry>>();
  #latest: CacheEntry | undefined;
  #size = 0;

  constructor(snapshot: Snapshot, format: AnswerFormat, maxBytes: number) {
    this.#snapshot = snapshot;
    this.#format = format;
    this.#maxBytes = maxBytes;
    snapshot.onInvalidated((environment) => {
      for (const entry of this.#entries.values()) {
        if (environment === null || entry.environment === environment) this.#evict(entry);
      }
    });
  }

  /** Returns the ETag of the current answer without building the answer, so a 304 costs only a lookup. */
  etag(query: FeatureQuery): string {
    return this.#format.etag(query, this.#snapshot.position(query.environment));
  }

  /**
   * Returns the current answer in the preferred encoding of `acceptEncoding`. Returns a promise when the answer is
   * built or compressed outside the current turn of the event loop.
   */
  answer(query: FeatureQuery, acceptEncoding: string | undefined): CachedAnswer | Promise<CachedAnswer> {
    const entry = this.#find(query);
    return entry instanceof Promise
      ? entry.then((built) => this.#encode(built, acceptEncoding))
      : this.#encode(entry, acceptEncoding);
  }

  #encode(entry: CacheEntry, acceptEncoding: string | undefined): CachedAnswer | Promise<CachedAnswer> {
    const { position, etag, identity } = entry;
    const encoding = encodingFor(acceptEncoding, identity.length);
    if (encoding === 'identity') return { position, etag, encoding, bytes: identity };
    const bytes = this.#compressed(entry, encoding);
    if (bytes instanceof Promise) return bytes.then((ready) => ({ position, etag, encoding, bytes: ready }));
    return { position, etag, encoding, bytes };
  }

  #find(query: FeatureQuery): CacheEntry | Promise<CacheEntry> {
    const entry = this.#entries.get(query.json);
    if (entry !== undefined) {
      if (entry !== this.#latest) this.#moveToEnd(entry);
      return entry;
    }
    const flags = this.#snapshot.flags(query);
    return needsSeveralTurns(flags, query) ? this.#buildInTurns(flags, query) : this.#build(flags, query);
  }

  /** Builds an answer in several turns of the event loop, once for all concurrent requests. */
  #buildInTurns(flags: readonly SnapshotFlag[], query: FeatureQuery): Promise<CacheEntry> {
    const begun = this.#pending.get(query.json);
    if (begun !== undefined) return begun;
    const pending = serializeFlags(flags, query)
      // Read the flags again: some may have changed while the others were serialized.
      .then(() => this.#entries.get(query.json) ?? this.#build(this.#snapshot.flags(query), query))
      .finally(() => this.#pending.delete(query.json));
    this.#pending.set(query.json, pending);
    return pending;
  }

  #build(flags: readonly SnapshotFlag[], query: FeatureQuery): CacheEntry {
    const { environment, json: key } = query;
    const position = this.#snapshot.position(environment);
    const etag = this.#format.etag(query, position);
    const identity = assemble(this.#format, flags, this.#snapshot.segments, query, position);
    const entry: CacheEntry = { key, environment, position, etag, identity, compressed: new Map(), size: 0 };
    this.#moveToEnd(entry);
    this.#grow(entry, identity.length + entry.key.length + entryBytes);
    return entry;
  }

  #compressed(entry: CacheEntry, encoding: Exclude<Encoding, 'identity'>): Buffer | Promise<Buffer> {
    const known = entry.compressed.get(encoding);
    if (known !== undefined) return known;
    const pending = compress(entry.identity, encoding).then(
      (bytes) => {
        entry.compressed.set(encoding, bytes);
        this.#grow(entry, bytes.length);
        return bytes;
      },
      (error) => {
        entry.compressed.delete(encoding);
        throw error;
      },
    );
    entry.compressed.set(encoding, pending);
    return pending;
  }

  #moveToEnd(entry: CacheEntry): void {
    this.#entries.delete(entry.key);
    this.#entries.set(entry.key, entry);
    this.#latest = entry;
  }

  /** Adds to the size of an entry, if it is still cached, and evicts others. The last used entry always stays. */
  #grow(entry: CacheEntry, bytes: number): void {
    if (this.#entries.get(entry.key) !== entry) return;
    entry.size += bytes;
    this.#size += bytes;
    for (const oldest of this.#entries.values()) {
      if (this.#size <= this.#maxBytes || this.#entries.size === 1) return;
      this.#evict(oldest);
    }
  }

  #evict(entry: CacheEntry): void {
    this.#entries.delete(entry.key);
    this.#size -= entry.size;
    if (this.#latest === entry) this.#latest = undefined;
  }
}
