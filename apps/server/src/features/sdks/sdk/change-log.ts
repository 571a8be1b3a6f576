import { z } from 'zod';
import { sdkChangeOf } from '#features/platform/event-effects/index.ts';
import { itemAt } from '#kernel/lists.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { advancesRevision, type Revisions } from './revisions.ts';

/** The change of the SDK answers by one event. */
export interface Change {
  /** The id of the event. */
  readonly id: number;
  /** Null for all environments. */
  readonly environment: string | null;
  /** The affected flags: each name with the projects that the flag is or was in. Null when any flag may be affected. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>> | null;
  /** Whether flags may use segments now that they did not use before. */
  readonly mayAddSegments: boolean;
  readonly segment: { readonly id: number; readonly isDeleted: boolean } | null;
}

/** The length of the log. A client that is further behind gets a full answer. */
export const maxChanges = 1000;
const maxFlags = 20_000;

/** The content of a change log. */
export interface ChangeLogParts {
  readonly start: number;
  readonly revisionsAtStart: Revisions;
  readonly floor: number;
  readonly batches: readonly (readonly Change[])[];
}

interface LogEntry {
  readonly change: Change;
  /** Events that were applied to the snapshot together have the same batch number. */
  readonly batch: number;
}

/**
 * The most recent changes of the SDK answers, from which deltas are made. The state between two events of one batch was
 * never in the snapshot, so no delta begins there.
 */
export class ChangeLog {
  #entries: LogEntry[] = [];
  #batch = 0;
  #flags = 0;
  /** Changes with this id or a lower one are not in the log. */
  #floor: number;
  #newest: number;
  /** The event after which the log began. */
  readonly start: number;
  /** The revisions at `start`. */
  readonly revisionsAtStart: Revisions;

  /** Begins after the event `start`. */
  constructor(start: number, revisionsAtStart: Revisions) {
    this.start = start;
    this.revisionsAtStart = revisionsAtStart;
    this.#floor = start;
    this.#newest = start;
  }

  /** Returns a log that was taken apart. */
  static restored({ start, revisionsAtStart, floor, batches }: ChangeLogParts): ChangeLog {
    const log = new ChangeLog(start, revisionsAtStart);
    for (const batch of batches) log.add(batch, floor);
    log.#floor = Math.max(log.#floor, floor);
    return log;
  }

  /** Changes with this id or a lower one are not in the log. */
  get floor(): number {
    return this.#floor;
  }

  /** Returns the changes after the event `id`, grouped as they were added; undefined as from {@link since}. */
  batchesAfter(id: number): readonly (readonly Change[])[] | undefined {
    if (id < this.#floor) return undefined;
    const later = this.#entries.filter(({ change }) => change.id > id);
    const [first] = later;
    const isMiddle = this.#entries.some(({ change, batch }) => change.id <= id && batch === first?.batch);
    if (isMiddle) return undefined;
    return [...Map.groupBy(later, ({ batch }) => batch).values()].map((batch) => batch.map(({ change }) => change));
  }

  /** Adds a batch of changes in the order of their ids. Changes up to the id `floor` are no longer in the log. */
  add(changes: readonly Change[], floor = 0): void {
    this.#batch++;
    this.#floor = Math.max(this.#floor, floor);
    for (const change of changes) {
      this.#entries.push({ change, batch: this.#batch });
      this.#flags += change.flags?.size ?? 0;
      this.#newest = Math.max(this.#newest, change.id);
    }
    let dropped = 0;
    while (this.#entries.length - dropped > maxChanges || this.#flags > maxFlags) {
      const { change } = itemAt(this.#entries, dropped++);
      this.#flags -= change.flags?.size ?? 0;
      this.#floor = Math.max(this.#floor, change.id);
    }
    if (dropped > 0) this.#entries = this.#entries.slice(dropped);
  }

  /**
   * Returns the changes in `environment` after the event `id`, oldest first. Returns undefined when the log does not
   * reach back that far, or when the event was in the middle of a batch.
   */
  since(environment: string, id: number): readonly Change[] | undefined {
    const after = id < this.start && id >= this.revisionsAtStart.of(environment) ? this.start : id;
    if (after < this.#floor || after > this.#newest) return undefined;
    const found: Change[] = [];
    let laterBatch: number | undefined;
    for (let index = this.#entries.length - 1; index >= 0; index--) {
      const { change, batch } = itemAt(this.#entries, index);
      if (change.environment !== null && change.environment !== environment) continue;
      if (change.id <= after) {
        if (batch === laterBatch) return undefined;
        break;
      }
      found.push(change);
      laterBatch = batch;
    }
    return found.reverse();
  }
}

/** Returns whether an event belongs in deltas. Deleting a segment does, although it does not advance the revision. */
export function affectsDeltas(event: EventRow): boolean {
  return advancesRevision(event) || sdkChangeOf(event.type) === 'segment removed';
}

/** Returns the change of one event; `lookup` finds flags as they were before the event and as they are after it. */
export function changeOf(event: EventRow, lookup: FlagLookup): Change {
  const { id, type, environment } = event;
  const segment = segmentOf(event);
  return {
    id,
    environment,
    flags: segment === null ? flagsOf(event, lookup) : noFlags,
    mayAddSegments: sdkChangeOf(type) !== 'flag',
    segment,
  };
}

export interface FlagLookup {
  /** Returns the names of the flags in a project. */
  namesIn(project: string): Iterable<string>;
  /** Returns the projects that a flag was in before and is in now. */
  projectsOf(name: string): Iterable<string>;
}

const noFlags: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** The data of a segment event. */
export const segmentColumn = jsonColumn('events.data', z.object({ id: z.number() }));
/** The data of a flag's move to another project. */
const moveColumn = jsonColumn('events.data', z.object({ oldProject: z.string() }));

function segmentOf({ id: eventId, type, data, pre_data: preData }: EventRow): Change['segment'] {
  if (type !== 'segment-updated' && type !== 'segment-deleted') return null;
  const isDeleted = type === 'segment-deleted';
  const { id } = segmentColumn.parse((isDeleted ? preData : data) ?? 'null', eventId);
  return { id, isDeleted };
}

function flagsOf({ id, type, feature_name: name, project, data }: EventRow, lookup: FlagLookup): Change['flags'] {
  if (name === null && project === null) return null;
  if (name === null)
    return new Map([...lookup.namesIn(project as string)].map((flag) => [flag, new Set([project as string])]));
  const projects = new Set(lookup.projectsOf(name));
  if (project !== null) projects.add(project);
  // Tokens of the old project must lose the flag, even when the snapshot already has it in the new project.
  if (type === 'feature-project-change') projects.add(moveColumn.parse(data ?? 'null', id).oldProject);
  return new Map([[name, projects]]);
}
