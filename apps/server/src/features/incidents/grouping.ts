import type { EventType } from '@yardarm/contract';

/** A change by automation, or the end of one of its holds. */
export interface Change {
  readonly id: number;
  /** Milliseconds UTC. */
  readonly at: number;
  readonly type: EventType;
  readonly project: string;
  readonly featureName: string | null;
  readonly environment: string | null;
  readonly signalId: number | null;
  readonly runId: number | null;
  /** The hold that the change placed, updated or ended. */
  readonly holdId: number | null;
  /** The time at which that hold was placed, in milliseconds UTC. */
  readonly holdPlacedAt: number | null;
}

/** Changes of automation in one project that belong together. */
export interface Incident<C extends Change = Change> {
  readonly project: string;
  readonly changes: readonly C[];
  /** The holds of the incident that have not ended. */
  readonly openHolds: number;
}

/** The longest time between two changes of an incident, unless the incident still holds the flag of the later one. */
export const gapMs = 30 * 60 * 1000;

const endsHold: ReadonlySet<EventType> = new Set(['feature-lease-released', 'feature-lease-expired']);

interface Open<C> {
  readonly project: string;
  readonly changes: C[];
  /** The flag of each hold that has not ended. */
  readonly holds: Map<number, string | null>;
}

/**
 * Groups changes into incidents, both oldest first. A change belongs to the incident that holds its flag, else to the
 * newest incident of its project, if that incident has a change in the last 30 minutes. Changes without a run, which
 * are the ends of holds, belong only to the incident of their hold. When a run ends a hold that was placed before the
 * first of `changes`, its incident begins with this end, because its earlier changes are not known. A hold that is not
 * in `held` has ended, also when its end is not among the changes because its flag moved to another project before.
 */
export function groupIncidents<C extends Change>(changes: readonly C[], held: ReadonlySet<number>): Incident<C>[] {
  const incidents: Open<C>[] = [];
  const byProject = new Map<string, Open<C>[]>();
  for (const change of changes) {
    const ofProject = byProject.get(change.project) ?? [];
    byProject.set(change.project, ofProject);
    let incident = incidentOf(ofProject, change, changes[0]?.at ?? 0);
    if (incident === undefined) {
      if (change.runId === null) continue;
      incident = { project: change.project, changes: [], holds: new Map() };
      ofProject.push(incident);
      incidents.push(incident);
    }
    incident.changes.push(change);
    if (change.holdId === null) continue;
    if (endsHold.has(change.type)) incident.holds.delete(change.holdId);
    else incident.holds.set(change.holdId, change.featureName);
  }
  return incidents.map(({ project, changes, holds }) => {
    const openHolds = [...holds.keys()].filter((id) => held.has(id)).length;
    return { project, changes, openHolds };
  });
}

function incidentOf<C extends Change>(incidents: readonly Open<C>[], change: C, firstAt: number): Open<C> | undefined {
  const { holdId, holdPlacedAt, runId, featureName, at } = change;
  if (holdId !== null && endsHold.has(change.type)) {
    const holder = incidents.findLast(({ holds }) => holds.has(holdId));
    if (holder !== undefined || runId === null) return holder;
    if (holdPlacedAt !== null && holdPlacedAt < firstAt) return undefined;
  }
  // A run changes the effective state of a flag when it ends the hold, which the incident has no more.
  const sameRun = incidents.findLast(({ changes }) => {
    const last = changes.at(-1);
    return runId !== null && last?.runId === runId && last.featureName === featureName;
  });
  if (sameRun !== undefined) return sameRun;
  const holding = incidents.findLast(({ holds }) => featureName !== null && [...holds.values()].includes(featureName));
  if (holding !== undefined) return holding;
  const newest = incidents.at(-1);
  const last = newest?.changes.at(-1);
  return last !== undefined && at - last.at <= gapMs ? newest : undefined;
}
