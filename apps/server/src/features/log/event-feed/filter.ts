import { type EventLimits, isVisible, visibleEvents } from '#features/log/events/index.ts';
import type { Identity } from '#kernel/caller.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { type Condition, sql } from '#storage/tx.ts';

/** The events that a reader of the feed receives: those that match every given list and that the reader may see. */
export interface FeedFilter extends EventLimits {
  readonly types?: readonly string[] | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly environments?: readonly string[] | undefined;
  readonly features?: readonly string[] | undefined;
}

/** Returns the limits of the events that a caller may see. */
export function limitsOf(caller: Pick<Identity, 'can' | 'hidden'>): EventLimits {
  return { onlyInProjects: !caller.can('ADMIN'), hidden: caller.hidden };
}

/** Returns whether `row` matches the filter: the same events as {@link conditionsOf} selects. */
export function matches(filter: FeedFilter, row: EventRow): boolean {
  const { types, projects, environments, features } = filter;
  if (types !== undefined && !types.includes(row.type)) return false;
  if (projects !== undefined && !isIn(projects, row.project)) return false;
  if (environments !== undefined && !isIn(environments, row.environment)) return false;
  if (features !== undefined && !isIn(features, row.feature_name)) return false;
  return isVisible(filter, row.project);
}

function isIn(values: readonly string[], value: string | null): boolean {
  return value !== null && values.includes(value);
}

/** Returns the SQL conditions of the filter on `events`. */
export function conditionsOf(filter: FeedFilter): Condition[] {
  const { types, projects, environments, features } = filter;
  const lists: [string, readonly string[] | undefined][] = [
    ['type', types],
    ['project', projects],
    ['environment', environments],
    ['feature_name', features],
  ];
  return [
    ...lists.flatMap(([column, values]) =>
      values === undefined ? [] : [sql<boolean>`${sql.ref(`events.${column}`)} in (${sql.join(values)})`],
    ),
    ...visibleEvents(filter),
  ];
}

/** Returns a text that is equal for filters that select the same events. */
export function keyOf({ hidden, ...lists }: FeedFilter): string {
  return JSON.stringify([lists, [...hidden].sort()]);
}
