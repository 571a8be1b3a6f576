import type { EventRow } from '../../storage/tables/events.ts';

/** A system that is told of events. */
export interface Integration {
  readonly id: number;
  readonly provider: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** With what is secret. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  /** All of them when empty or `*`. */
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  /** Whether all projects includes private ones, which it does for administrators. */
  readonly seesAll: boolean;
}

/** What the log says about one event that was to be told. */
export interface Outcome {
  readonly state: 'success' | 'failed';
  readonly stateDetails: string;
  readonly details: Readonly<Record<string, string | number | null>>;
}

/**
 * Whether an integration is told of an event (docs/spec#integrations). `openProjects` are those that anybody may see:
 * of others it is told when it names them, or sees all.
 */
export function concerns(
  { events, projects, environments, seesAll }: Integration,
  event: Pick<EventRow, 'type' | 'project' | 'environment' | 'feature_name'>,
  openProjects: ReadonlySet<string>,
): boolean {
  if (!events.includes(event.type)) return false;
  if (event.environment !== null && !isAny(environments) && !environments.includes(event.environment)) return false;
  // A flag whose project the event does not tell may be one of a project that is hidden.
  if (event.project === null) return isAny(projects) && (seesAll || event.feature_name === null);
  if (projects.includes(event.project)) return true;
  return isAny(projects) && (seesAll || openProjects.has(event.project));
}

/** Whether projects among the `hidden` ones are all that an integration is told of, so that it is hidden too. */
export function isOutOfView({ projects }: Integration, hidden: ReadonlySet<string>): boolean {
  return projects.length > 0 && projects.every((project) => hidden.has(project));
}

/** Whether an integration is told of projects that are `hidden`, by their names or with all others. */
export function tellsOfHidden({ projects, seesAll }: Integration, hidden: ReadonlySet<string>): boolean {
  if (hidden.size === 0) return false;
  return projects.some((project) => hidden.has(project)) || (isAny(projects) && seesAll);
}

function isAny(names: readonly string[]): boolean {
  return names.length === 0 || names.includes('*');
}
