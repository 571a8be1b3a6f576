import { overdue } from '#features/flags/flags/index.ts';
import { stageOf } from '#features/flags/lifecycle/index.ts';
import { containsText } from '#storage/event-text-search.ts';
import { type Condition, sql } from '#storage/tx.ts';
import type { DateFilter, EnvironmentFilter, FlagSearch, SetFilter, ValueFilter } from './flag-search.ts';

/** Returns the SQL conditions on `features as f` of a search; at least one. */
export function searchConditions(search: FlagSearch, now: number): Condition[] {
  const {
    words,
    project,
    notIn = [],
    type,
    state,
    lifecycle,
    createdBy,
    tag,
    segment,
    createdAt,
    lastSeenAt,
    status,
    held,
  } = search;
  return [
    search.archived ? sql<boolean>`f.archived_at is not null` : sql<boolean>`f.archived_at is null`,
    words === undefined ? [] : matchesText(words),
    project === undefined ? [] : valueCondition('f.project', project),
    notIn.length === 0 ? [] : sql<boolean>`f.project not in (${sql.join(notIn)})`,
    type === undefined ? [] : valueCondition('f.type', type),
    createdBy === undefined ? [] : valueCondition('f.created_by_user_id', createdBy, Number),
    state === undefined ? [] : stateCondition(state, now),
    lifecycle === undefined ? [] : stageCondition(lifecycle),
    tag === undefined ? [] : tagCondition(tag),
    segment === undefined ? [] : segmentCondition(segment),
    createdAt === undefined ? [] : dateCondition('f.created_at', createdAt),
    lastSeenAt === undefined ? [] : dateCondition('f.last_seen_at', lastSeenAt),
    status === undefined ? [] : environmentCondition(status),
    held === undefined ? [] : heldCondition(held),
  ].flat();
}

function isPositive({ operator }: ValueFilter): boolean {
  return operator === 'IS' || operator === 'IS_ANY_OF';
}

function valueCondition(
  column: string,
  filter: ValueFilter,
  read: (value: string) => string | number = String,
): Condition {
  const values = sql.join(filter.values.map(read));
  return isPositive(filter)
    ? sql<boolean>`${sql.ref(column)} in (${values})`
    : sql<boolean>`${sql.ref(column)} not in (${values})`;
}

/**
 * Returns the condition of a filter on the state. Each flag has one state only: a flag marked as stale is not also
 * potentially stale.
 */
function stateCondition(filter: ValueFilter, now: number): Condition {
  const states = filter.values.map((value) => {
    if (value === 'stale') return sql<boolean>`f.stale = 1`;
    if (value === 'potentially-stale') return sql<boolean>`(f.stale = 0 and ${overdue('f', now)})`;
    return sql<boolean>`(f.stale = 0 and not ${overdue('f', now)})`;
  });
  return isPositive(filter) ? sql<boolean>`(${sql.join(states, sql` or `)})` : noneOf(states);
}

function stageCondition(filter: ValueFilter): Condition {
  const stages = sql.join(filter.values);
  return isPositive(filter)
    ? sql<boolean>`${stageOf('f')} in (${stages})`
    : sql<boolean>`${stageOf('f')} not in (${stages})`;
}

function noneOf(conditions: readonly Condition[]): Condition {
  return sql<boolean>`not (${sql.join(conditions, sql` or `)})`;
}

function tagCondition(filter: SetFilter): Condition {
  return setCondition(filter, (value) => {
    const end = value.indexOf(':');
    return sql<boolean>`exists (select 1 from feature_tags as t where t.feature_name = f.name
      and t.type = ${value.slice(0, end)} and t.value = ${value.slice(end + 1)})`;
  });
}

function segmentCondition(filter: SetFilter): Condition {
  return setCondition(
    filter,
    (name) => sql<boolean>`exists (select 1 from feature_strategies as s
      join feature_strategy_segments as g on g.strategy_id = s.id join segments as m on m.id = g.segment_id
      where s.feature_name = f.name and m.name = ${name})`,
  );
}

function setCondition({ operator, values }: SetFilter, conditionOf: (value: string) => Condition): Condition {
  const each = values.map(conditionOf);
  switch (operator) {
    case 'INCLUDE_ALL_OF':
      return sql<boolean>`(${sql.join(each, sql` and `)})`;
    case 'INCLUDE':
    case 'INCLUDE_ANY_OF':
      return sql<boolean>`(${sql.join(each, sql` or `)})`;
    case 'EXCLUDE_ALL':
      return sql<boolean>`not (${sql.join(each, sql` and `)})`;
    default:
      return noneOf(each);
  }
}

/** Returns the condition of a filter on a time. A flag whose column is null matches neither operator. */
function dateCondition(column: string, { operator, at }: DateFilter): Condition {
  return operator === 'IS_BEFORE'
    ? sql<boolean>`${sql.ref(column)} < ${at}`
    : sql<boolean>`${sql.ref(column)} >= ${at}`;
}

function environmentCondition(status: readonly EnvironmentFilter[]): Condition {
  const conditions = status.map(
    ({ environment, enabled }) => sql<boolean>`exists (select 1 from feature_environments as e
      where e.feature_name = f.name and e.environment = ${environment} and e.enabled = ${Number(enabled)})`,
  );
  return sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

function heldCondition(held: boolean): Condition {
  const hold = sql<boolean>`exists (select 1 from feature_environments as h
    where h.feature_name = f.name and h.lease_id is not null)`;
  return held ? hold : sql<boolean>`not ${hold}`;
}

function matchesText(words: string): Condition {
  return sql<boolean>`(${containsText(sql`f.name`, words)}
    or ${containsText(sql`coalesce(f.description, '')`, words)}
    or exists (select 1 from feature_tags as t where t.feature_name = f.name
      and ${containsText(sql`t.type || ':' || t.value`, words)}))`;
}
