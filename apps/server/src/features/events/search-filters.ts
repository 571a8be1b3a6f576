import type { IdRange } from '../../storage/event-text-search.ts';
import type { Search } from '../../storage/search.ts';
import { type Condition, sql } from '../../storage/tx.ts';

/** Which events are searched for: those for which all that is given holds. */
export interface EventSearch {
  readonly ids?: readonly number[] | undefined;
  readonly groupIds?: readonly string[] | undefined;
  readonly features?: readonly string[] | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly environments?: readonly string[] | undefined;
  readonly createdByUserIds?: readonly number[] | undefined;
  /** Caused by one of these signals. */
  readonly signalIds?: readonly number[] | undefined;
  /** Happened at or after, and before, milliseconds UTC. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** Stands somewhere in their data, previous data or tags. */
  readonly words?: string | undefined;
  /** Only events that belong to a project. */
  readonly inAnyProject?: boolean | undefined;
  /** Projects whose events are not found. */
  readonly notIn?: readonly string[] | undefined;
}

/** One of several values of a column. */
export interface Term {
  readonly column: string;
  readonly values: readonly (string | number)[];
}

/** The filters that have an index; of those that are equally selective the first is preferred. */
export function termsOf(wanted: EventSearch): Term[] {
  const columns: [string, readonly (string | number)[] | undefined][] = [
    ['id', wanted.ids],
    ['group_id', wanted.groupIds],
    ['signal_id', wanted.signalIds],
    ['feature_name', wanted.features],
    ['project', wanted.projects],
    ['created_by_user_id', wanted.createdByUserIds],
    ['type', wanted.types],
    ['environment', wanted.environments],
  ];
  return columns.flatMap(([column, values]) =>
    values === undefined ? [] : [{ column, values: [...new Set(values)] }],
  );
}

/** What an event must meet besides the filter whose index is read. */
export function conditionsOf(wanted: EventSearch, terms: readonly Term[]): Condition[] {
  return [
    ...terms.map(({ column, values }) => sql<boolean>`${sql.ref(`events.${column}`)} in (${sql.join(values)})`),
    ...(wanted.inAnyProject === true ? [sql<boolean>`events.project is not null`] : []),
    ...outside(wanted.notIn ?? []),
  ];
}

/** An event of a token that opens several projects names them all, with commas between. */
function outside(projects: readonly string[]): Condition[] {
  if (projects.length === 0) return [];
  const all = sql`',' || project || ','`;
  const unnamed = projects.map((project) => sql`replace(${all}, ${`,${project},`}, '') = ${all}`);
  return [
    sql<boolean>`project not in (${sql.join(projects)})`,
    sql<boolean>`(project not like '%,%' or (${sql.join(unnamed, sql` and `)}))`,
  ];
}

/** The ids of events that happened in time; ids and times grow together. */
export async function idRange({ db }: Search, { from, until }: EventSearch): Promise<IdRange> {
  const firstSince = async (time: number | undefined): Promise<number | undefined> => {
    if (time === undefined) return undefined;
    const query = sql<{
      id: number;
    }>`select id from events where created_at >= ${time} order by created_at, id limit 1`;
    return (await query.execute(db)).rows[0]?.id ?? Number.MAX_SAFE_INTEGER;
  };
  const newest = db.selectFrom('counters').select('value').where('name', '=', 'event').executeTakeFirstOrThrow();
  const [first, end, { value }] = await Promise.all([firstSince(from), firstSince(until), newest]);
  return { after: (first ?? 1) - 1, before: Math.min(end ?? Number.MAX_SAFE_INTEGER, value + 1) };
}
