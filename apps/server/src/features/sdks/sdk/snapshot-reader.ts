import { loadClientFeatures } from '#features/flags/reading/index.ts';
import { loadClientSegments } from '#features/flags/segments/index.ts';
import type { Database } from '#storage/database.ts';
import type { LogPosition } from '#storage/log-position.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { affectsDeltas, type Change, ChangeLog, changeOf, maxChanges, segmentColumn } from './change-log.ts';
import { advancesRevision, loadRevisions, Revisions } from './revisions.ts';
import { type FlagsByName, Snapshot } from './snapshot.ts';
import type { SnapshotFlag } from './snapshot-flag.ts';
import { loadTags } from './tags.ts';

/** The flags that events name, by name, as SDKs got them before the events and get them after. */
export interface ReplacedFlags {
  readonly events: readonly EventRow[];
  readonly before: FlagsByName;
  readonly after: FlagsByName;
}

/**
 * Keeps a snapshot up to date from the database. It follows the change feed: a change is in the snapshot of this
 * process before the change is answered, and in other processes as soon as the feed reaches them. Only flags and
 * segments named by events are read again.
 */
export class SnapshotReader {
  readonly snapshot = new Snapshot();
  readonly #database: Database;
  readonly #listeners: ((replaced: ReplacedFlags) => void)[] = [];
  #loaded: Promise<void> = Promise.resolve();

  private constructor(database: Database) {
    this.#database = database;
  }

  /** Resolves when all flags are in the snapshot. */
  static async follow(database: Database): Promise<SnapshotReader> {
    const reader = new SnapshotReader(database);
    // Subscribe before loading: changes committed during the load are applied after it.
    database.feed.subscribe({
      events: async (events) => {
        await reader.#loaded;
        await reader.#apply(events);
      },
      reset: async (newest) => {
        await reader.#loaded;
        await reader.#loadAll(newest);
      },
    });
    reader.#loaded = reader.#loadAll({ epoch: database.feed.epoch, id: database.feed.seen });
    await reader.#loaded;
    return reader;
  }

  /** Calls `listener` after each change of flags, with the flags before and after. */
  onReplaced(listener: (replaced: ReplacedFlags) => void): void {
    this.#listeners.push(listener);
  }

  /** Loads everything. `start` is the last event that the subscription will not deliver. */
  async #loadAll({ id: start, epoch }: Pick<LogPosition, 'id' | 'epoch'>): Promise<void> {
    // Read the revisions first: flags may then be newer than their revision, never older.
    const revisions = await loadRevisions(this.#database.db);
    const flags = await this.#read(undefined);
    // Read segments after flags, so that every segment that a flag refers to is found.
    const segments = await loadClientSegments(this.#database.db);
    const changes = new ChangeLog(start, Revisions.after(revisions.newest));
    this.snapshot.load({ epoch, revisions, changes, flags, segments });
  }

  async #apply(events: readonly EventRow[]): Promise<void> {
    const deltaEvents = events.filter(affectsDeltas);
    const relevant = deltaEvents.filter(advancesRevision);
    if (deltaEvents.length === 0) return;
    const changedSegments = relevant.filter(isSegmentUpdate).map(segmentIdOf);
    const names = this.#affectedNames(relevant.filter((event) => !isSegmentUpdate(event)));
    const flags = await this.#read(names);
    const segments = await loadClientSegments(this.#database.db, [...changedSegments, ...this.#unknownSegments(flags)]);
    const before = this.#named(relevant);
    const batches = [this.#changesOf(deltaEvents.slice(-maxChanges), flags)];
    const floor = deltaEvents.at(-maxChanges - 1)?.id ?? 0;
    this.snapshot.apply({ batches, floor, revisions: relevant, names, flags, segments });
    const replaced = { events: relevant, before, after: this.#named(relevant) };
    for (const listener of this.#listeners) listener(replaced);
  }

  /** Returns the flags that events name. */
  #named(events: readonly EventRow[]): Map<string, SnapshotFlag> {
    const { all } = this.snapshot;
    const flags = events.flatMap(({ feature_name: name }) => (name === null ? [] : (all.get(name) ?? [])));
    return new Map(flags.map((flag) => [flag.feature.name, flag]));
  }

  /** Returns the names of the flags that the events affect; undefined when any flag may be affected. */
  #affectedNames(events: readonly EventRow[]): string[] | undefined {
    const names = new Set<string>();
    for (const { feature_name: name, project } of events) {
      if (name !== null) names.add(name);
      else if (project === null) return undefined;
      else
        for (const flag of this.snapshot.all.values())
          if (flag.feature.project === project) names.add(flag.feature.name);
    }
    return [...names];
  }

  /** Returns the changes by events; `fresh` are the flags as they are after the events. */
  #changesOf(events: readonly EventRow[], fresh: FlagsByName): Change[] {
    const flags = this.snapshot.all;
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
    return events.map((event) => changeOf(event, lookup));
  }

  async #read(names: readonly string[] | undefined): Promise<FlagsByName> {
    if (names?.length === 0) return new Map();
    const { db } = this.#database;
    const [features, tags] = await Promise.all([loadClientFeatures(db, names), loadTags(db, names)]);
    return this.snapshot.toFlags(features.map((feature) => ({ feature, tags: tags.get(feature.name) ?? [] })));
  }

  /** Returns the ids of segments that the flags use and that are not in memory. */
  #unknownSegments(flags: FlagsByName): ReadonlySet<number> {
    const unknown = new Set<number>();
    const { segments } = this.snapshot;
    for (const flag of flags.values()) for (const id of flag.segments) if (!segments.has(id)) unknown.add(id);
    return unknown;
  }
}

function isSegmentUpdate({ type }: EventRow): boolean {
  return type === 'segment-updated';
}

function segmentIdOf({ id, data }: EventRow): number {
  return segmentColumn.parse(data ?? 'null', id).id;
}
