import { loadClientFeatures } from '#features/flags/reading/index.ts';
import { type ClientSegment, loadClientSegments } from '#features/flags/segments/index.ts';
import type { ReadPosition } from '#http/if-none-match.ts';
import { mapYielding } from '#kernel/event-loop.ts';
import type { Database } from '#storage/database.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { affectsDeltas, type Change, ChangeLog, changeOf, maxChanges, segmentColumn } from './change-log.ts';
import type { FeatureQuery } from './feature-query.ts';
import { advancesRevision, loadRevisions, Revisions } from './revisions.ts';
import { SnapshotFlag } from './snapshot-flag.ts';
import { type SnapshotSegment, type SnapshotSegments, toSnapshotSegment } from './snapshot-segment.ts';
import { loadTags } from './tags.ts';

/** A position in the log, with its epoch. */
type Position = Required<ReadPosition> & { readonly epoch: string };

/** Receives the environment whose answers changed; null for all environments. */
type InvalidationListener = (environment: string | null) => void;

/** The flags that events name, by name, as SDKs got them before the events and get them after. */
export interface ReplacedFlags {
  readonly events: readonly EventRow[];
  readonly before: ReadonlyMap<string, SnapshotFlag>;
  readonly after: ReadonlyMap<string, SnapshotFlag>;
}

/**
 * Holds all flags in memory for SDK answers. It follows the change feed: a change is in the snapshot of this process
 * before the change is answered, and in other processes as soon as the feed reaches them. Only flags and segments named
 * by events are read again.
 */
export class Snapshot {
  readonly #database: Database;
  readonly #flags = new Map<string, SnapshotFlag>();
  /** All segments that flags use. Unused segments may stay: within an epoch of the log, ids are never reused. */
  readonly #segments = new Map<number, SnapshotSegment>();
  readonly #listeners: InvalidationListener[] = [];
  readonly #replacedListeners: ((replaced: ReplacedFlags) => void)[] = [];
  #epoch = '';
  /** The sorted names of the flags; null after a flag was added or removed. */
  #sortedNames: readonly string[] | null = null;
  #revisions = new Revisions();
  #changes = new ChangeLog(0, () => 0);
  #loaded: Promise<void> = Promise.resolve();

  private constructor(database: Database) {
    this.#database = database;
  }

  static async load(database: Database): Promise<Snapshot> {
    const snapshot = new Snapshot(database);
    // Subscribe before loading: changes committed during the load are applied after it.
    database.feed.subscribe({
      events: async (events) => {
        await snapshot.#loaded;
        await snapshot.#apply(events);
      },
      reset: async (newest) => {
        await snapshot.#loaded;
        await snapshot.#loadAll(newest);
      },
    });
    snapshot.#loaded = snapshot.#loadAll({ epoch: database.feed.epoch, id: database.feed.seen });
    await snapshot.#loaded;
    return snapshot;
  }

  /** Calls `listener` after each change, before any request is answered from the changed snapshot. */
  onInvalidated(listener: InvalidationListener): void {
    this.#listeners.push(listener);
  }

  /** Calls `listener` after each change of flags, with the flags before and after. */
  onReplaced(listener: (replaced: ReplacedFlags) => void): void {
    this.#replacedListeners.push(listener);
  }

  revision(environment: string): number {
    return this.#revisions.of(environment);
  }

  /** The epoch of the log that the revisions are ids of. Answers of equal epoch and revision have equal content. */
  get epoch(): string {
    return this.#epoch;
  }

  /** Returns the position in the log that the answers of an environment have reached. */
  position(environment: string): Position {
    return { id: this.revision(environment), epoch: this.#epoch };
  }

  /**
   * Returns the changes in `environment` after a position, oldest first; undefined when they are not known, or the
   * position is of another epoch.
   */
  changesSince(environment: string, { id, epoch }: ReadPosition): readonly Change[] | undefined {
    return epoch === this.#epoch ? this.#changes.since(environment, id) : undefined;
  }

  get segments(): SnapshotSegments {
    return this.#segments;
  }

  /** Returns the flags that match, sorted by name. */
  flags(query: FeatureQuery): SnapshotFlag[] {
    this.#sortedNames ??= [...this.#flags.keys()].toSorted();
    const found: SnapshotFlag[] = [];
    for (const name of this.#sortedNames) {
      const flag = this.#flags.get(name) as SnapshotFlag;
      if (query.matches(flag)) found.push(flag);
    }
    return found;
  }

  /** Returns the flag of that name; undefined when there is none or it does not match. */
  flag(name: string, query: FeatureQuery): SnapshotFlag | undefined {
    const flag = this.#flags.get(name);
    return flag !== undefined && query.matches(flag) ? flag : undefined;
  }

  /**
   * Replaces everything in memory. `start` is the last event that the subscription will not deliver. Listeners are
   * called as after a change of all environments.
   */
  async #loadAll({ id: start, epoch }: Position): Promise<void> {
    // Read the revisions first: flags may then be newer than their revision, never older.
    const revisions = await loadRevisions(this.#database.db);
    const flags = await this.#read(undefined);
    // Read segments after flags, so that every segment that a flag refers to is found.
    const segments = await loadClientSegments(this.#database.db);
    // No await from here on: a request must not see new flags under an old revision or epoch.
    this.#epoch = epoch;
    this.#revisions = revisions;
    // The ids of segments may be of other segments than before the log went back.
    this.#segments.clear();
    this.#addSegments(segments);
    this.#replace(undefined, flags);
    const atStart = revisions.copy();
    this.#changes = new ChangeLog(start, (environment) => atStart.of(environment));
    for (const listener of this.#listeners) listener(null);
  }

  async #apply(events: readonly EventRow[]): Promise<void> {
    const deltaEvents = events.filter(affectsDeltas);
    const relevant = deltaEvents.filter(advancesRevision);
    if (relevant.length === 0) {
      this.#log(deltaEvents, new Map());
      return;
    }
    const changedSegments = relevant.filter(isSegmentUpdate).map(segmentIdOf);
    const names = this.#affectedNames(relevant.filter((event) => !isSegmentUpdate(event)));
    const fresh = await this.#read(names);
    const segments = await loadClientSegments(this.#database.db, [...changedSegments, ...this.#unknownSegments(fresh)]);
    // No await from here on: a request must not see new flags under an old revision.
    this.#log(deltaEvents, fresh);
    this.#addSegments(segments);
    const before = this.#named(relevant);
    this.#replace(names, fresh);
    this.#dropCachedJson(changedSegments);
    const affected = new Set(relevant.map((event) => this.#revisions.advance(event)));
    for (const environment of affected) {
      if (environment !== undefined) for (const listener of this.#listeners) listener(environment);
    }
    for (const listener of this.#replacedListeners)
      listener({ events: relevant, before, after: this.#named(relevant) });
  }

  /** Returns the flags that events name. */
  #named(events: readonly EventRow[]): Map<string, SnapshotFlag> {
    const flags = events.flatMap(({ feature_name: name }) => (name === null ? [] : (this.#flags.get(name) ?? [])));
    return new Map(flags.map((flag) => [flag.feature.name, flag]));
  }

  /** Returns the names of the flags that the events affect; undefined when any flag may be affected. */
  #affectedNames(events: readonly EventRow[]): string[] | undefined {
    const names = new Set<string>();
    for (const { feature_name: name, project } of events) {
      if (name !== null) names.add(name);
      else if (project === null) return undefined;
      else for (const flag of this.#flags.values()) if (flag.feature.project === project) names.add(flag.feature.name);
    }
    return [...names];
  }

  /** Adds events to the change log; `fresh` are the flags as they are after the events. */
  #log(all: readonly EventRow[], fresh: ReadonlyMap<string, SnapshotFlag>): void {
    const events = all.slice(-maxChanges);
    const flags = this.#flags;
    const lookup = {
      *namesIn(project: string) {
        for (const some of [flags, fresh]) {
          for (const { feature } of some.values()) if (feature.project === project) yield feature.name;
        }
      },
      *projectsOf(name: string) {
        for (const some of [flags, fresh]) {
          const flag = some.get(name);
          if (flag !== undefined) yield flag.feature.project;
        }
      },
    };
    this.#changes.add(
      events.map((event) => changeOf(event, lookup)),
      all.at(-maxChanges - 1)?.id,
    );
  }

  async #read(names: readonly string[] | undefined): Promise<Map<string, SnapshotFlag>> {
    const { db } = this.#database;
    const [features, tags] = await Promise.all([loadClientFeatures(db, names), loadTags(db, names)]);
    return new Map(
      await mapYielding(features, (feature) => [
        feature.name,
        new SnapshotFlag(feature, tags.get(feature.name) ?? noTags, this.#segments),
      ]),
    );
  }

  /** Returns the ids of segments that the flags use and that are not in memory. */
  #unknownSegments(flags: ReadonlyMap<string, SnapshotFlag>): ReadonlySet<number> {
    const unknown = new Set<number>();
    for (const flag of flags.values()) for (const id of flag.segments) if (!this.#segments.has(id)) unknown.add(id);
    return unknown;
  }

  #addSegments(segments: readonly ClientSegment[]): void {
    for (const segment of segments) this.#segments.set(segment.id, toSnapshotSegment(segment));
  }

  /** Drops the cached JSON of the flags that use one of these segments. */
  #dropCachedJson(segmentIds: readonly number[]): void {
    if (segmentIds.length === 0) return;
    for (const [name, flag] of this.#flags) {
      if (flag.segments.some((id) => segmentIds.includes(id))) this.#flags.set(name, flag.withoutCache());
    }
  }

  /** Replaces the named flags, or all flags, by `fresh`. */
  #replace(names: readonly string[] | undefined, fresh: ReadonlyMap<string, SnapshotFlag>): void {
    for (const name of names ?? [...this.#flags.keys()]) {
      if (!fresh.has(name) && this.#flags.delete(name)) this.#sortedNames = null;
    }
    for (const [name, flag] of fresh) {
      if (!this.#flags.has(name)) this.#sortedNames = null;
      this.#flags.set(name, flag);
    }
  }
}

function isSegmentUpdate({ type }: EventRow): boolean {
  return type === 'segment-updated';
}

function segmentIdOf({ id, data }: EventRow): number {
  return segmentColumn.parse(data ?? 'null', id).id;
}

const noTags: ReadonlySet<string> = new Set();
