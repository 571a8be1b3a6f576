/**
 * The part that an event has in incidents: `begins` a new one or belongs to one; `joins` one that concerns its flag;
 * `of its hold`: belongs to the incident of the hold that it ends or announces; `forgets`: the flag was deleted with
 * its holds.
 */
export type Part = 'begins' | 'joins' | 'of its hold' | 'forgets' | 'none';

/** An event that may belong to an incident. */
export interface Change {
  readonly id: number;
  /** Milliseconds UTC. */
  readonly at: number;
  readonly part: Exclude<Part, 'none'>;
  readonly project: string;
  readonly featureName: string | null;
  readonly runId: number | null;
  /** The changes of one transaction share a group. */
  readonly groupId: string | null;
  /** The hold that the event placed, updated, announced or ended. */
  readonly holdId: number | null;
  readonly endsHold: boolean;
}

/** An incident that further changes may belong to. */
export interface OpenIncident {
  readonly id: number;
  readonly project: string;
  readonly startedAt: number;
  lastAt: number;
  last: Pick<Change, 'id' | 'featureName' | 'runId' | 'groupId'>;
  /** The flags that its changes name. */
  readonly flags: Set<string>;
  /** The flag of each hold that has not ended. */
  readonly holds: Map<number, string>;
}

/** The longest time between two changes of an incident, unless the incident still holds the flag of the later one. */
export const gapMs = 30 * 60 * 1000;

/**
 * Groups changes in the order of their ids. `known` has the newest incident of each project and all that hold a flag,
 * oldest first. An incident belongs to one project, so that no reader learns of a project that is hidden.
 */
export class Grouping {
  readonly #incidents: Map<string, OpenIncident[]>;

  constructor(known: readonly OpenIncident[]) {
    this.#incidents = Map.groupBy(known, ({ project }) => project);
  }

  /** Adds a change to its incident. Returns the incident; undefined when the change belongs to none. */
  add(change: Change): OpenIncident | undefined {
    const ofProject = this.#incidents.get(change.project) ?? [];
    this.#incidents.set(change.project, ofProject);
    const { id, at, part, featureName, holdId, endsHold } = change;
    if (part === 'forgets') {
      for (const { holds } of ofProject) for (const [hold, flag] of holds) if (flag === featureName) holds.delete(hold);
      return undefined;
    }
    let incident = incidentOf(ofProject, change);
    if (incident === undefined) {
      if (part !== 'begins') return undefined;
      const { project } = change;
      incident = { id, project, startedAt: at, lastAt: at, last: change, flags: new Set(), holds: new Map() };
      ofProject.push(incident);
    }
    incident.lastAt = at;
    incident.last = change;
    if (featureName !== null) incident.flags.add(featureName);
    if (holdId !== null && endsHold) incident.holds.delete(holdId);
    else if (holdId !== null && featureName !== null && part === 'begins') incident.holds.set(holdId, featureName);
    return incident;
  }
}

/**
 * Returns the incident of a change: the one whose hold it ends or announces, else the one whose last change its run or
 * its transaction made to the same flag, else the one that holds its flag, else the newest of its project after at most
 * {@link gapMs}.
 */
function incidentOf(incidents: readonly OpenIncident[], change: Change): OpenIncident | undefined {
  const { part, at, holdId, endsHold, featureName, runId, groupId } = change;
  if (holdId !== null && (endsHold || part === 'of its hold')) {
    const holder = incidents.findLast(({ holds }) => holds.has(holdId));
    if (holder !== undefined || part === 'of its hold') return holder;
  }
  // The end of a hold changes the effective state of its flag, which the incident holds no more.
  const follows = incidents.findLast(({ last }) => {
    const isSame = (runId !== null && last.runId === runId) || (groupId !== null && last.groupId === groupId);
    return isSame && last.featureName === featureName;
  });
  if (follows !== undefined) return follows;
  const holding = incidents.findLast(({ holds }) => featureName !== null && [...holds.values()].includes(featureName));
  if (holding !== undefined) return holding;
  const newest = incidents.at(-1);
  if (newest === undefined || at - newest.lastAt > gapMs) return undefined;
  return part === 'begins' || (featureName !== null && newest.flags.has(featureName)) ? newest : undefined;
}
