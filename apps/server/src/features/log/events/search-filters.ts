import { containsText, type IdRange } from '#storage/event-text-search.ts';
import type { Search } from '#storage/search.ts';
import { type Condition, sql } from '#storage/tx.ts';
import { type EventLimits, visibleEvents } from './visible-events.ts';

/** The filters of an event search. An event must match all given filters. */
export interface EventSearch {
  readonly ids?: readonly number[] | undefined;
  readonly groupIds?: readonly string[] | undefined;
  readonly features?: readonly string[] | undefined;
  readonly projects?: readonly string[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly environments?: readonly string[] | undefined;
  readonly createdByUserIds?: readonly number[] | undefined;
  /** Events caused by one of these signals. */
  readonly signalIds?: readonly number[] | undefined;
  /** The time range in milliseconds UTC: `from` is inclusive, `until` is exclusive. */
  readonly from?: number | undefined;
  readonly until?: number | undefined;
  /** A text in the data, previous data or tags. */
  readonly words?: string | undefined;
  /** A text in the reason. */
  readonly reason?: string | undefined;
  /** All events when it is absent. */
  readonly limits?: EventLimits | undefined;
}

/** A condition `column in (values)`. */
export interface Term {
  readonly column: string;
  readonly values: readonly (string | number)[];
}

/** The filter whose index holds all events with a reason. The text of the reason is a further condition. */
export const anyReason: Term = { column: 'reason', values: [] };

/** Returns the filters that have an index. Of equally selective filters, the first is preferred. */
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
  const terms = columns.flatMap(([column, values]) =>
    values === undefined ? [] : [{ column, values: [...new Set(values)] }],
  );
  return wanted.reason === undefined ? terms : [...terms, anyReason];
}

/** Returns the conditions on an event in addition to the filter whose index is read. */
export function conditionsOf(wanted: EventSearch, terms: readonly Term[]): Condition[] {
  return [
    ...terms
      .filter((term) => term !== anyReason)
      .map(({ column, values }) => sql<boolean>`${sql.ref(`events.${column}`)} in (${sql.join(values)})`),
    ...(wanted.reason === undefined ? [] : [containsText(sql.ref('events.reason'), wanted.reason)]),
    ...(wanted.limits === undefined ? [] : visibleEvents(wanted.limits)),
  ];
}

/** Returns the range of event ids in the time range. Ids increase with time. */
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
