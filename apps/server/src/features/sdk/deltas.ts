import type { Change } from './change-log.ts';
import type { FeatureQuery } from './feature-query.ts';
import type { Snapshot } from './snapshot.ts';

/** What changed for one query. */
export interface Delta {
  /** Id of the last event in it, with which one that took it in asks for what comes after. */
  readonly revision: number;
  /** The events, as JSON, oldest first. At least one. */
  readonly json: string;
}

/** A line of a delta; of one event first the segments come, then the flags that may use them. */
interface Line {
  readonly id: number;
  readonly rank: number;
  readonly json: string;
}

/**
 * What one that knows what held after the event `id` must take in to have what `query` gets now (docs/spec#delta): each
 * flag and segment as it is, once. Null when that is nothing, undefined when it is not known and all must be sent.
 */
export function deltaSince(snapshot: Snapshot, query: FeatureQuery, id: number): Delta | null | undefined {
  const { environment } = query;
  if (id === snapshot.revision(environment)) return null;
  const changes = snapshot.changesSince(environment, id);
  if (changes === undefined || changes.some(({ flags }) => flags === null)) return undefined;
  const lines = [...flagLines(snapshot, query, changes), ...segmentLines(snapshot, query, changes)];
  const last = lines.reduce((most, line) => Math.max(most, line.id), 0);
  if (last === 0) return null;
  const sorted = lines.sort((a, b) => a.id - b.id || a.rank - b.rank);
  return { revision: last, json: `[${sorted.map(({ json }) => json).join(',')}]` };
}

interface Touched {
  id: number;
  readonly projects: Set<string>;
}

/** The last change of each flag, and in which projects it was before. */
function touchedFlags(changes: readonly Change[]): ReadonlyMap<string, Touched> {
  const touched = new Map<string, Touched>();
  for (const { id, flags } of changes) {
    for (const [name, projects] of flags ?? []) {
      const known = touched.get(name);
      if (known === undefined) touched.set(name, { id, projects: new Set(projects) });
      else {
        known.id = id;
        for (const project of projects) known.projects.add(project);
      }
    }
  }
  return touched;
}

function flagLines(snapshot: Snapshot, query: FeatureQuery, changes: readonly Change[]): Line[] {
  const lines: Line[] = [];
  for (const [name, { id, projects }] of touchedFlags(changes)) {
    const flag = snapshot.flag(name, query);
    if (flag !== undefined) {
      const feature = flag.bytes(query.environment, 'separate').toString();
      lines.push({ id, rank: 1, json: `{"type":"feature-updated","eventId":${id},"feature":${feature}}` });
    } else {
      // Of a flag in projects that the token never opened not even the name is told.
      const project = query.projectOf(name, projects);
      if (project === undefined) continue;
      const json = JSON.stringify({ type: 'feature-removed', eventId: id, featureName: name, project });
      lines.push({ id, rank: 1, json });
    }
  }
  return lines;
}

function segmentLines(snapshot: Snapshot, query: FeatureQuery, changes: readonly Change[]): Line[] {
  const updated = new Map<number, number>();
  const lines: Line[] = [];
  const changed = new Map<number, number>();
  for (const { id, segment, flags, bringsSegments } of changes) {
    if (segment?.isGone === true) {
      lines.push({ id, rank: 2, json: `{"type":"segment-removed","eventId":${id},"segmentId":${segment.id}}` });
    } else if (segment !== null) changed.set(segment.id, id);
    if (!bringsSegments) continue;
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
    lines.push({ id, rank: 0, json: `{"type":"segment-updated","eventId":${id},"segment":${segment.json}}` });
  }
  return lines;
}
