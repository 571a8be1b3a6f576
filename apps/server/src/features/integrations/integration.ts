import type { EventRow } from '../../storage/tables/events.ts';

/** An outgoing webhook for events. */
export interface Integration {
  readonly id: number;
  readonly provider: string;
  readonly description: string | null;
  readonly enabled: boolean;
  /** Includes secrets. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly events: readonly string[];
  /** Empty or `*`: all projects. */
  readonly projects: readonly string[];
  readonly environments: readonly string[];
  /** True when "all projects" includes private projects; set when an administrator saves the integration. */
  readonly seesAll: boolean;
}

/** The result of a delivery. */
export interface Outcome {
  readonly state: 'success' | 'failed';
  readonly stateDetails: string;
  readonly details: Readonly<Record<string, string | number | null>>;
}

/**
 * Returns whether an integration receives an event (docs/spec#integrations). It receives events of projects outside
 * `openProjects`, which everyone may see, only when it names the project or `seesAll`.
 */
export function isSubscribedTo(
  { events, projects, environments, seesAll }: Integration,
  event: Pick<EventRow, 'type' | 'project' | 'environment' | 'feature_name'>,
  openProjects: ReadonlySet<string>,
): boolean {
  if (!events.includes(event.type)) return false;
  if (event.environment !== null && !isAny(environments) && !environments.includes(event.environment)) return false;
  // The flag of an event without a project may belong to a hidden project.
  if (event.project === null) return isAny(projects) && (seesAll || event.feature_name === null);
  if (projects.includes(event.project)) return true;
  return isAny(projects) && (seesAll || openProjects.has(event.project));
}

/** Returns whether all projects of an integration are `hidden`, so that the integration is hidden too. */
export function isHiddenFrom({ projects }: Integration, hidden: ReadonlySet<string>): boolean {
  return projects.length > 0 && projects.every((project) => hidden.has(project));
}

/** Returns whether an integration includes `hidden` projects, by name or because it includes all. */
export function includesHiddenProject({ projects, seesAll }: Integration, hidden: ReadonlySet<string>): boolean {
  if (hidden.size === 0) return false;
  return projects.some((project) => hidden.has(project)) || (isAny(projects) && seesAll);
}

function isAny(names: readonly string[]): boolean {
  return names.length === 0 || names.includes('*');
}
