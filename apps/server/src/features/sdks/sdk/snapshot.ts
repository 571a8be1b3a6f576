import type { ClientFeature } from '#features/flags/reading/index.ts';
import type { ClientSegment } from '#features/flags/segments/index.ts';
import type { ReadPosition } from '#http/if-none-match.ts';
import { mapYielding } from '#kernel/event-loop.ts';
import { type Change, ChangeLog } from './change-log.ts';
import type { FeatureQuery } from './feature-query.ts';
import { type Advance, Revisions } from './revisions.ts';
import { SnapshotFlag } from './snapshot-flag.ts';
import { type SnapshotSegment, type SnapshotSegments, toSnapshotSegment } from './snapshot-segment.ts';

/** A position in the log, with its epoch. */
type Position = Required<ReadPosition> & { readonly epoch: string };

/** Receives the environment whose answers changed; null for all environments. */
type InvalidationListener = (environment: string | null) => void;

/** A flag with its tags (`type:value`). */
export interface StoredFlag {
  readonly feature: ClientFeature;
  readonly tags: Iterable<string>;
}

/** The whole content of a snapshot. */
export interface SnapshotState {
  readonly epoch: string;
  readonly revisions: Revisions;
  readonly changes: ChangeLog;
  readonly flags: FlagsByName;
  /** All segments that flags use, and maybe others. */
  readonly segments: readonly ClientSegment[];
}

/** The changes of one commit, or of several. */
export interface SnapshotUpdate {
  /** The changes of each commit, oldest first. */
  readonly batches: readonly (readonly Change[])[];
  /** Changes up to this id are missing in `batches`. */
  readonly floor?: number;
  readonly revisions: readonly Advance[];
  /** The names of the flags that are replaced; undefined for all flags. */
  readonly names: readonly string[] | undefined;
  /** The named flags as they are now, without those that are gone. */
  readonly flags: FlagsByName;
  /** The segments that changed, and those that flags use now and did not use before. */
  readonly segments: readonly ClientSegment[];
}

export type FlagsByName = ReadonlyMap<string, SnapshotFlag>;

/**
 * Holds all flags in memory for SDK answers. It knows no database: it is given a state, and then one update after the
 * other, by the process that reads the database or by one that follows another server.
 */
export class Snapshot {
  readonly #flags = new Map<string, SnapshotFlag>();
  /** All segments that flags use. Unused segments may stay: within an epoch of the log, ids are never reused. */
  readonly #segments = new Map<number, SnapshotSegment>();
  readonly #listeners: InvalidationListener[] = [];
  #epoch = '';
  /** The sorted names of the flags; null after a flag was added or removed. */
  #sortedNames: readonly string[] | null = null;
  #revisions = new Revisions();
  #changes = new ChangeLog(0, new Revisions());

  /** Calls `listener` after each change, before any request is answered from the changed snapshot. */
  onInvalidated(listener: InvalidationListener): void {
    this.#listeners.push(listener);
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

  /** The changes of all environments that are known. */
  get changes(): ChangeLog {
    return this.#changes;
  }

  get revisions(): Revisions {
    return this.#revisions;
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

  /** All flags, by name. */
  get all(): FlagsByName {
    return this.#flags;
  }

  /** Makes flags of this snapshot, over several turns of the event loop. They are in force when they are applied. */
  async toFlags(stored: readonly StoredFlag[]): Promise<FlagsByName> {
    return new Map(
      await mapYielding(stored, ({ feature, tags }) => [
        feature.name,
        new SnapshotFlag(feature, new Set(tags), this.#segments),
      ]),
    );
  }

  /**
   * Replaces everything in memory, in one turn of the event loop: a request must not see new flags under an old
   * revision or epoch. Listeners are called as after a change of all environments.
   */
  load({ epoch, revisions, changes, flags, segments }: SnapshotState): void {
    this.#epoch = epoch;
    this.#revisions = revisions;
    // The ids of segments may be of other segments than before the log went back.
    this.#segments.clear();
    this.#addSegments(segments);
    this.#replace(undefined, flags);
    this.#changes = changes;
    for (const listener of this.#listeners) listener(null);
  }

  /** Applies changes, in one turn of the event loop. */
  apply({ batches, floor, revisions, names, flags, segments }: SnapshotUpdate): void {
    for (const batch of batches) this.#changes.add(batch, floor);
    const changedSegments = segments.flatMap(({ id }) => (this.#segments.has(id) ? id : []));
    this.#addSegments(segments);
    this.#replace(names, flags);
    this.#dropCachedJson(changedSegments);
    const newer = revisions.filter((event) => this.#revisions.advance(event));
    const affected = new Set(newer.map(({ environment }) => environment));
    for (const environment of affected) for (const listener of this.#listeners) listener(environment);
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
  #replace(names: readonly string[] | undefined, fresh: FlagsByName): void {
    for (const name of names ?? [...this.#flags.keys()]) {
      if (!fresh.has(name) && this.#flags.delete(name)) this.#sortedNames = null;
    }
    for (const [name, flag] of fresh) {
      if (!this.#flags.has(name)) this.#sortedNames = null;
      this.#flags.set(name, flag);
    }
  }
}
