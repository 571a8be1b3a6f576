import { integrationEventPattern } from '@yardarm/contract';
import type { EventRow } from '#storage/tables/events.ts';

/** A receiver of events outside, such as a webhook. */
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
  /** Whether an event is sent only when the event before it is delivered or dead. */
  readonly ordered: boolean;
  /** Ids of the users whose changes are sent; empty: of all. */
  readonly actors: readonly number[];
  /** Sends only changes that a signal caused, or only changes that no signal caused. */
  readonly cause: 'any' | 'signal' | 'person';
}

/**
 * Returns whether an integration receives an event (docs/spec#integrations). It receives events of projects outside
 * `openProjects`, which everyone may see, only when it names the project or `seesAll`.
 */
export function isSubscribedTo(
  integration: Integration,
  event: Pick<EventRow, 'type' | 'project' | 'environment' | 'feature_name' | 'created_by_user_id' | 'signal_id'>,
  openProjects: ReadonlySet<string>,
): boolean {
  const { events, projects, environments, seesAll } = integration;
  if (!events.includes(event.type)) return false;
  // Events that are not about flags are visible to administrators only.
  if (!seesAll && !integrationEventPattern.test(event.type)) return false;
  if (!isWanted(integration, event)) return false;
  if (event.environment !== null && !isAny(environments) && !environments.includes(event.environment)) return false;
  // The flag of an event without a project may belong to a hidden project.
  if (event.project === null) return isAny(projects) && (seesAll || event.feature_name === null);
  if (projects.includes(event.project)) return true;
  return isAny(projects) && (seesAll || openProjects.has(event.project));
}

/** Returns whether an event is of one of the actors and of the cause that the integration names. */
function isWanted({ actors, cause }: Integration, event: Pick<EventRow, 'created_by_user_id' | 'signal_id'>): boolean {
  if (actors.length > 0 && !actors.includes(event.created_by_user_id ?? 0)) return false;
  return cause === 'any' || (cause === 'signal') === (event.signal_id !== null);
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
