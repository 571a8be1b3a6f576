import type { ReadPosition } from '#http/if-none-match.ts';
import type { Change } from './change-log.ts';
import type { FeatureQuery } from './feature-query.ts';
import type { Snapshot } from './snapshot.ts';

/** The changes for one query since a revision. */
export interface Delta {
  /** The id of the last event in the delta. A client sends it to get the next delta. */
  readonly revision: number;
  /** The events as a JSON array, oldest first. At least one. */
  readonly json: string;
}

/** One event of a delta. Events of the same id are ordered by rank: segments before the flags that may use them. */
interface DeltaEvent {
  readonly id: number;
  readonly rank: number;
  readonly json: string;
}

/**
 * Returns the delta that brings a client from the position `known` to the current answer of `query` (docs/spec#delta):
 * every changed flag and segment once, in its current form. Returns null when nothing changed, and undefined when the
 * changes are not known and the client needs a full answer.
 */
export function deltaSince(snapshot: Snapshot, query: FeatureQuery, known: ReadPosition): Delta | null | undefined {
  const { environment } = query;
  if (known.epoch === snapshot.epoch && known.id === snapshot.revision(environment)) return null;
  const changes = snapshot.changesSince(environment, known);
  if (changes === undefined || changes.some(({ flags }) => flags === null)) return undefined;
  const events = [...flagEvents(snapshot, query, changes), ...segmentEvents(snapshot, query, changes)];
  const last = events.reduce((most, event) => Math.max(most, event.id), 0);
  if (last === 0) return null;
  const sorted = events.sort((a, b) => a.id - b.id || a.rank - b.rank);
  return { revision: last, json: `[${sorted.map(({ json }) => json).join(',')}]` };
}

interface ChangedFlag {
  id: number;
  readonly projects: Set<string>;
}

/** Returns the last change of each flag, and all projects that the flag was in. */
function changedFlags(changes: readonly Change[]): ReadonlyMap<string, ChangedFlag> {
  const changed = new Map<string, ChangedFlag>();
  for (const { id, flags } of changes) {
    for (const [name, projects] of flags ?? []) {
      const known = changed.get(name);
      if (known === undefined) changed.set(name, { id, projects: new Set(projects) });
      else {
        known.id = id;
        for (const project of projects) known.projects.add(project);
      }
    }
  }
  return changed;
}

function flagEvents(snapshot: Snapshot, query: FeatureQuery, changes: readonly Change[]): DeltaEvent[] {
  const events: DeltaEvent[] = [];
  for (const [name, { id, projects }] of changedFlags(changes)) {
    const flag = snapshot.flag(name, query);
    if (flag !== undefined) {
      const feature = flag.bytes(query.environment, 'separate').toString();
      events.push({ id, rank: 1, json: `{"type":"feature-updated","eventId":${id},"feature":${feature}}` });
    } else {
      // A token must not learn the names of flags in projects that it never had access to.
      const project = query.matchingProject(name, projects);
      if (project === undefined) continue;
      const json = JSON.stringify({ type: 'feature-removed', eventId: id, featureName: name, project });
      events.push({ id, rank: 1, json });
    }
  }
  return events;
}

function segmentEvents(snapshot: Snapshot, query: FeatureQuery, changes: readonly Change[]): DeltaEvent[] {
  const updated = new Map<number, number>();
  const events: DeltaEvent[] = [];
  const changed = new Map<number, number>();
  for (const { id, segment, flags, mayAddSegments } of changes) {
    if (segment?.isDeleted === true) {
      events.push({ id, rank: 2, json: `{"type":"segment-removed","eventId":${id},"segmentId":${segment.id}}` });
    } else if (segment !== null) changed.set(segment.id, id);
    if (!mayAddSegments) continue;
    for (const name of flags?.keys() ?? []) {
      for (const used of snapshot.flag(name, query)?.segmentsIn(query.environment) ?? []) updated.set(used, id);
    }
  }
  if (changed.size > 0) {
    for (const flag of snapshot.flags(query)) {
      for (const used of flag.segmentsIn(query.environment)) {
        const id = changed.get(used);
        if (id !== undefined) updated.set(used, Math.max(id, updated.get(used) ?? 0));
      }
    }
  }
  for (const [segmentId, id] of updated) {
    const segment = snapshot.segments.get(segmentId);
    if (segment === undefined) continue;
    events.push({ id, rank: 0, json: `{"type":"segment-updated","eventId":${id},"segment":${segment.json}}` });
  }
  return events;
}
