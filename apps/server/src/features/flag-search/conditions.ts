import { type Condition, sql } from '../../storage/tx.ts';
import { overdue, stageOf } from '../flags/index.ts';
import type { FlagSearch, OneOf, SetOf, Since, Status } from './flag-search.ts';

/** What must be true of a row of `features as f` that is searched for. Never empty. */
export function conditionsOf(wanted: FlagSearch, now: number): Condition[] {
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
  } = wanted;
  return [
    wanted.archived ? sql<boolean>`f.archived_at is not null` : sql<boolean>`f.archived_at is null`,
    words === undefined ? [] : holds(words),
    project === undefined ? [] : among('f.project', project),
    notIn.length === 0 ? [] : sql<boolean>`f.project not in (${sql.join(notIn)})`,
    type === undefined ? [] : among('f.type', type),
    createdBy === undefined ? [] : among('f.created_by_user_id', createdBy, Number),
    state === undefined ? [] : inState(state, now),
    lifecycle === undefined ? [] : inStage(lifecycle),
    tag === undefined ? [] : tagged(tag),
    segment === undefined ? [] : usingSegments(segment),
    createdAt === undefined ? [] : since('f.created_at', createdAt),
    lastSeenAt === undefined ? [] : since('f.last_seen_at', lastSeenAt),
    status === undefined ? [] : inStatus(status),
  ].flat();
}

function isWanted({ operator }: OneOf): boolean {
  return operator === 'IS' || operator === 'IS_ANY_OF';
}

function among(column: string, wanted: OneOf, read: (value: string) => string | number = String): Condition {
  const values = sql.join(wanted.values.map(read));
  return isWanted(wanted)
    ? sql<boolean>`${sql.ref(column)} in (${values})`
    : sql<boolean>`${sql.ref(column)} not in (${values})`;
}

/** Each flag is in one state: who marked it as stale knows better than its age. */
function inState(wanted: OneOf, now: number): Condition {
  const states = wanted.values.map((value) => {
    if (value === 'stale') return sql<boolean>`f.stale = 1`;
    if (value === 'potentially-stale') return sql<boolean>`(f.stale = 0 and ${overdue('f', now)})`;
    return sql<boolean>`(f.stale = 0 and not ${overdue('f', now)})`;
  });
  return isWanted(wanted) ? sql<boolean>`(${sql.join(states, sql` or `)})` : none(states);
}

function inStage(wanted: OneOf): Condition {
  const stages = sql.join(wanted.values);
  return isWanted(wanted)
    ? sql<boolean>`${stageOf('f')} in (${stages})`
    : sql<boolean>`${stageOf('f')} not in (${stages})`;
}

function none(conditions: readonly Condition[]): Condition {
  return sql<boolean>`not (${sql.join(conditions, sql` or `)})`;
}

function tagged(wanted: SetOf): Condition {
  return holding(wanted, (value) => {
    const end = value.indexOf(':');
    return sql<boolean>`exists (select 1 from feature_tags as t where t.feature_name = f.name
      and t.type = ${value.slice(0, end)} and t.value = ${value.slice(end + 1)})`;
  });
}

function usingSegments(wanted: SetOf): Condition {
  return holding(
    wanted,
    (name) => sql<boolean>`exists (select 1 from feature_strategies as s
      join feature_strategy_segments as g on g.strategy_id = s.id join segments as m on m.id = g.segment_id
      where s.feature_name = f.name and m.name = ${name})`,
  );
}

function holding({ operator, values }: SetOf, holds: (value: string) => Condition): Condition {
  const each = values.map(holds);
  switch (operator) {
    case 'INCLUDE_ALL_OF':
      return sql<boolean>`(${sql.join(each, sql` and `)})`;
    case 'INCLUDE':
    case 'INCLUDE_ANY_OF':
      return sql<boolean>`(${sql.join(each, sql` or `)})`;
    case 'EXCLUDE_ALL':
      return sql<boolean>`not (${sql.join(each, sql` and `)})`;
    default:
      return none(each);
  }
}

/** What has never been is neither before nor after. */
function since(column: string, { operator, at }: Since): Condition {
  return operator === 'IS_BEFORE'
    ? sql<boolean>`${sql.ref(column)} < ${at}`
    : sql<boolean>`${sql.ref(column)} >= ${at}`;
}

function inStatus(status: readonly Status[]): Condition {
  const one = status.map(
    ({ environment, enabled }) => sql<boolean>`exists (select 1 from feature_environments as e
      where e.feature_name = f.name and e.environment = ${environment} and e.enabled = ${Number(enabled)})`,
  );
  return sql<boolean>`(${sql.join(one, sql` or `)})`;
}

function holds(words: string): Condition {
  const pattern = `%${words.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`(lower(f.name) like ${pattern} escape '\\'
    or lower(coalesce(f.description, '')) like ${pattern} escape '\\'
    or exists (select 1 from feature_tags as t where t.feature_name = f.name
      and lower(t.type || ':' || t.value) like ${pattern} escape '\\'))`;
}
