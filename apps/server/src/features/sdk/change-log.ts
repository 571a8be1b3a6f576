import type { EventRow } from '../../storage/tables/events.ts';
import { movesRevision } from './revisions.ts';

/** What one event changed of what SDKs get. */
export interface Change {
  /** Id of the event. */
  readonly id: number;
  /** Null for all. */
  readonly environment: string | null;
  /** Projects that the flags it may be about are or were in, by their names; null when that may be any flag. */
  readonly flags: ReadonlyMap<string, ReadonlySet<string>> | null;
  /** Whether flags may use segments since that they did not use before. */
  readonly bringsSegments: boolean;
  readonly segment: { readonly id: number; readonly isGone: boolean } | null;
}

/** More is not kept: who is that far behind gets everything anew. */
export const maxChanges = 1000;
const maxFlags = 20_000;

/** Events after which a flag uses no segment that it did not use before. */
const bringingNone = /^feature-(environment-(enabled|disabled|variants-updated)|metadata-updated|stale-|dependenc)/;

interface Kept {
  readonly change: Change;
  /** The same for what was applied together. */
  readonly turn: number;
}

/**
 * The last changes of what SDKs get, so that one that knows what held after some event is told what changed since. Events
 * that were applied together are known together: what held between them was never seen here.
 */
export class ChangeLog {
  #kept: Kept[] = [];
  #turn = 0;
  #flags = 0;
  /** Nothing is known of changes up to here, but those since the start of environments that had none. */
  #floor: number;
  #newest: number;
  readonly #start: number;
  readonly #revisionAtStart: (environment: string) => number;

  /** Begins after the event `start`; `revisionAtStart` tells what revision an environment had then, ever after. */
  constructor(start: number, revisionAtStart: (environment: string) => number) {
    this.#start = start;
    this.#floor = start;
    this.#newest = start;
    this.#revisionAtStart = revisionAtStart;
  }

  /** Takes in events that were applied together, in the order of their ids; nothing more is known of those up to `floor`. */
  note(changes: readonly Change[], floor = 0): void {
    this.#turn++;
    this.#floor = Math.max(this.#floor, floor);
    for (const change of changes) {
      this.#kept.push({ change, turn: this.#turn });
      this.#flags += change.flags?.size ?? 0;
      this.#newest = Math.max(this.#newest, change.id);
    }
    let dropped = 0;
    while (this.#kept.length - dropped > maxChanges || this.#flags > maxFlags) {
      const { change } = this.#kept[dropped++] as Kept;
      this.#flags -= change.flags?.size ?? 0;
      this.#floor = Math.max(this.#floor, change.id);
    }
    if (dropped > 0) this.#kept = this.#kept.slice(dropped);
  }

  /**
   * The changes in `environment` after the event of that id, oldest first; undefined when they are not all known, or when
   * what held after that event was never seen here.
   */
  since(environment: string, id: number): readonly Change[] | undefined {
    const after = id < this.#start && id >= this.#revisionAtStart(environment) ? this.#start : id;
    if (after < this.#floor || after > this.#newest) return undefined;
    const found: Change[] = [];
    let turn: number | undefined;
    for (let index = this.#kept.length - 1; index >= 0; index--) {
      const { change, turn: itsTurn } = this.#kept[index] as Kept;
      if (change.environment !== null && change.environment !== environment) continue;
      if (change.id <= after) {
        if (itsTurn === turn) return undefined;
        break;
      }
      found.push(change);
      turn = itsTurn;
    }
    return found.reverse();
  }
}

/** Whether SDKs that follow changes are to be told of an event. One that deletes a segment moves no revision. */
export function isFollowed(event: EventRow): boolean {
  return movesRevision(event) || event.type === 'segment-deleted';
}

/** What an event changes; `known` is what was in memory before it and is in memory after it. */
export function changeOf(event: EventRow, known: KnownFlags): Change {
  const { id, type, environment } = event;
  const segment = segmentOf(event);
  return {
    id,
    environment,
    flags: segment === null ? flagsOf(event, known) : noFlags,
    bringsSegments: !bringingNone.test(type),
    segment,
  };
}

export interface KnownFlags {
  /** Names of the flags in a project. */
  in(project: string): Iterable<string>;
  /** Projects that a flag was or is in, as far as memory tells. */
  projectsOf(name: string): Iterable<string>;
}

const noFlags: ReadonlyMap<string, ReadonlySet<string>> = new Map();

function segmentOf({ type, data, pre_data: preData }: EventRow): Change['segment'] {
  if (type !== 'segment-updated' && type !== 'segment-deleted') return null;
  const isGone = type === 'segment-deleted';
  const { id } = JSON.parse((isGone ? preData : data) as string) as { readonly id: number };
  return { id, isGone };
}

function flagsOf({ type, feature_name: name, project, data }: EventRow, known: KnownFlags): Change['flags'] {
  if (name === null && project === null) return null;
  if (name === null) return new Map([...known.in(project as string)].map((one) => [one, new Set([project as string])]));
  const projects = new Set(known.projectsOf(name));
  if (project !== null) projects.add(project);
  // Who had it in the project it leaves loses it, also where it has been read again since.
  if (type === 'feature-project-change')
    projects.add((JSON.parse(data as string) as { oldProject: string }).oldProject);
  return new Map([[name, projects]]);
}
