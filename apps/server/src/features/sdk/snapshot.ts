import { mapYielding } from '../../kernel/event-loop.ts';
import type { Database } from '../../storage/database.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import { loadClientFeatures } from '../flags/index.ts';
import { type ClientSegment, loadClientSegments } from '../segments/index.ts';
import { type Change, ChangeLog, changeOf, isFollowed, maxChanges } from './change-log.ts';
import type { FeatureQuery } from './feature-query.ts';
import { loadRevisions, movesRevision, Revisions } from './revisions.ts';
import { ServedFlag } from './served-flag.ts';
import { type ServedSegment, type ServedSegments, serveSegment } from './served-segment.ts';
import { loadTags } from './tags.ts';

/** Told which environment's answers are out of date; null for every one. */
type Outdated = (environment: string | null) => void;

/**
 * All flags in memory, as SDKs need them. It follows the event log: when a change is answered this process has it,
 * and the others have it as soon as they are told. Only what events name is read again.
 */
export class Snapshot {
  readonly #database: Database;
  readonly #flags = new Map<string, ServedFlag>();
  /** All that flags use, and some that none uses any more: an id is never given again. */
  readonly #segments = new Map<number, ServedSegment>();
  readonly #outdated: Outdated[] = [];
  /** The flags' names in order; null when one came or went. */
  #names: readonly string[] | null = null;
  #revisions = new Revisions();
  #changes = new ChangeLog(0, () => 0);
  #loaded: Promise<void> = Promise.resolve();

  private constructor(database: Database) {
    this.#database = database;
  }

  static async load(database: Database): Promise<Snapshot> {
    const snapshot = new Snapshot(database);
    // Following comes first: what is committed while everything is being read is read again after it.
    database.feed.subscribe(async (events) => {
      await snapshot.#loaded;
      await snapshot.#apply(events);
    });
    snapshot.#loaded = snapshot.#loadAll(database.feed.seen);
    await snapshot.#loaded;
    return snapshot;
  }

  /** Calls `listener` after a change, before anyone is answered from it. */
  onOutdated(listener: Outdated): void {
    this.#outdated.push(listener);
  }

  revision(environment: string): number {
    return this.#revisions.of(environment);
  }

  /** What changed in `environment` after the event of that id, oldest first; undefined when that is not known here. */
  changesSince(environment: string, id: number): readonly Change[] | undefined {
    return this.#changes.since(environment, id);
  }

  get segments(): ServedSegments {
    return this.#segments;
  }

  /** The flags that match, by name. */
  flags(query: FeatureQuery): ServedFlag[] {
    this.#names ??= [...this.#flags.keys()].toSorted();
    const found: ServedFlag[] = [];
    for (const name of this.#names) {
      const flag = this.#flags.get(name) as ServedFlag;
      if (query.matches(flag)) found.push(flag);
    }
    return found;
  }

  /** One flag; undefined when there is none of that name or it does not match. */
  flag(name: string, query: FeatureQuery): ServedFlag | undefined {
    const flag = this.#flags.get(name);
    return flag !== undefined && query.matches(flag) ? flag : undefined;
  }

  /** `start` is the last event that this will not be told of. */
  async #loadAll(start: number): Promise<void> {
    // The revision is read first: a change in between makes the flags newer than it says, never older.
    this.#revisions = await loadRevisions(this.#database.db);
    const flags = await this.#read(undefined);
    // After the flags: every segment they name is there by now.
    this.#keep(await loadClientSegments(this.#database.db));
    this.#replace(undefined, flags);
    const atStart = this.#revisions.copy();
    this.#changes = new ChangeLog(start, (environment) => atStart.of(environment));
  }

  async #apply(events: readonly EventRow[]): Promise<void> {
    const followed = events.filter(isFollowed);
    const relevant = followed.filter(movesRevision);
    if (relevant.length === 0) {
      this.#note(followed, new Map());
      return;
    }
    const changed = relevant.filter(isOfSegment).map(segmentIdOf);
    const names = this.#namesOf(relevant.filter((event) => !isOfSegment(event)));
    const fresh = await this.#read(names);
    const segments = await loadClientSegments(this.#database.db, [...changed, ...this.#unknownIn(fresh)]);
    // From here on without a pause: nobody is answered from new flags under an old revision.
    this.#note(followed, fresh);
    this.#keep(segments);
    this.#replace(names, fresh);
    this.#renew(changed);
    const touched = new Set(relevant.map((event) => this.#revisions.move(event)));
    for (const environment of touched) {
      if (environment !== undefined) for (const listener of this.#outdated) listener(environment);
    }
  }

  /** The flags that events are about; undefined when it may be any. */
  #namesOf(events: readonly EventRow[]): string[] | undefined {
    const names = new Set<string>();
    for (const { feature_name: name, project } of events) {
      if (name !== null) names.add(name);
      else if (project === null) return undefined;
      else for (const flag of this.#flags.values()) if (flag.feature.project === project) names.add(flag.feature.name);
    }
    return [...names];
  }

  /** Notes what events change, between the flags that are in memory and those that will be; of more than are kept, the last. */
  #note(all: readonly EventRow[], fresh: ReadonlyMap<string, ServedFlag>): void {
    const events = all.slice(-maxChanges);
    const flags = this.#flags;
    const known = {
      *in(project: string) {
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
    this.#changes.note(
      events.map((event) => changeOf(event, known)),
      all.at(-maxChanges - 1)?.id,
    );
  }

  async #read(names: readonly string[] | undefined): Promise<Map<string, ServedFlag>> {
    const { db } = this.#database;
    const [features, tags] = await Promise.all([loadClientFeatures(db, names), loadTags(db, names)]);
    return new Map(
      await mapYielding(features, (feature) => [
        feature.name,
        new ServedFlag(feature, tags.get(feature.name) ?? noTags, this.#segments),
      ]),
    );
  }

  /** Ids of the segments that flags use and that have not been read yet. */
  #unknownIn(flags: ReadonlyMap<string, ServedFlag>): ReadonlySet<number> {
    const unknown = new Set<number>();
    for (const flag of flags.values()) for (const id of flag.segments) if (!this.#segments.has(id)) unknown.add(id);
    return unknown;
  }

  #keep(segments: readonly ClientSegment[]): void {
    for (const segment of segments) this.#segments.set(segment.id, serveSegment(segment));
  }

  /** Has the JSON of the flags made anew that use one of these segments. */
  #renew(segments: readonly number[]): void {
    if (segments.length === 0) return;
    for (const [name, flag] of this.#flags) {
      if (flag.segments.some((id) => segments.includes(id))) this.#flags.set(name, flag.renewed());
    }
  }

  /** Puts `fresh` in the place of the flags named, or of all. */
  #replace(names: readonly string[] | undefined, fresh: ReadonlyMap<string, ServedFlag>): void {
    for (const name of names ?? [...this.#flags.keys()]) {
      if (!fresh.has(name) && this.#flags.delete(name)) this.#names = null;
    }
    for (const [name, flag] of fresh) {
      if (!this.#flags.has(name)) this.#names = null;
      this.#flags.set(name, flag);
    }
  }
}

function isOfSegment({ type }: EventRow): boolean {
  return type === 'segment-updated';
}

function segmentIdOf({ data }: EventRow): number {
  return (JSON.parse(data as string) as { readonly id: number }).id;
}

const noTags: ReadonlySet<string> = new Set();
