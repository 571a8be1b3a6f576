import type { Database } from '../../storage/database.ts';
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

export interface FoundEvents {
  /** Of the page asked for, newest first. */
  readonly ids: readonly number[];
  /** Exact up to 10,000, or 1,000 where text is looked for among filtered events; beyond, that many and `gte`. */
  readonly total: number;
  readonly totalRelation: 'eq' | 'gte';
}

type Source = Pick<Database, 'search' | 'eventText'>;
type Query = ReturnType<typeof sql<{ id: number }>>;

/** One of several values of a column. */
interface Term {
  readonly column: string;
  readonly values: readonly (string | number)[];
}

/**
 * What is read: the index of `lead`, or of `order` when no filter leads, newest first, and of what it holds that
 * for which `rest` is true.
 */
interface Plan {
  readonly lead: Term | null;
  readonly order?: 'id' | 'created_at';
  readonly rest: readonly Condition[];
}

/** Matches beyond this many are not counted: a count would cost more than the answer. */
const countedUpTo = 10_000;
/** The same where each match is a text that has been looked through. */
const countedInText = 1000;
/** How far the filters are counted to find the one with the fewest events. */
const weighedUpTo = 20_000;
/** Values that are each read by themselves and merged. */
const maxBranches = 16;

/**
 * Finds a page of events, newest first. However long the log, it reads no more than the shortest of the indexes
 * that its filters have; ids and times grow together, so a time is a range of ids in each of them.
 */
export async function searchEvents(
  source: Source,
  wanted: EventSearch,
  offset: number,
  limit: number,
): Promise<FoundEvents> {
  const terms = termsOf(wanted);
  const range = await idRange(source, wanted);
  if (range.after >= range.before - 1) return counted([], 0);
  const { words } = wanted;
  const alone = terms.length === 0 && wanted.inAnyProject !== true;
  let few: number | null = null;
  if (words !== undefined && (alone || source.eventText.indexed(words))) {
    const newest = await source.eventText.newest(words, range, countedUpTo + 1, 0);
    if (alone) {
      const inHand = newest.length <= countedUpTo || offset + limit <= newest.length;
      const page = inHand
        ? newest.slice(offset, offset + limit)
        : await source.eventText.newest(words, range, limit, offset);
      return counted(page, newest.length);
    }
    if (newest.length <= countedUpTo) few = newest.length;
  }
  const text = words === undefined ? [] : [source.eventText.matches(words, few !== null)];
  const lead = await lightest(source, terms, range, few);
  const rest = [
    ...terms.filter((term) => term !== lead).map(checked),
    ...(wanted.inAnyProject === true ? [sql<boolean>`project is not null`] : []),
    ...outside(wanted.notIn ?? []),
    ...text,
  ];
  // By time as by id, but the index of times is so much narrower than the table that a big offset is no burden.
  if (lead === null && rest.length === 0) {
    return pageOf(source, { lead, order: 'created_at', rest: inTime(wanted) }, offset, limit);
  }
  const most = words === undefined ? countedUpTo : countedInText;
  return pageOf(source, { lead, rest: [...rest, inRange(range)] }, offset, limit, most);
}

/** `most` is how many matches are counted. */
async function pageOf(
  source: Source,
  plan: Plan,
  offset: number,
  limit: number,
  most = countedUpTo,
): Promise<FoundEvents> {
  const page = await newestIds(plan, limit, offset).execute(source.search);
  const ids = page.rows.map(({ id }) => id);
  const isLast = ids.length < limit && (ids.length > 0 || offset === 0);
  if (isLast) return counted(ids, offset + ids.length, most);
  const all = sql<{ n: number }>`select count(*) as n from (${newestIds(plan, most + 1, 0)}) as found`;
  return counted(ids, (await all.execute(source.search)).rows[0]?.n ?? 0, most);
}

function counted(ids: readonly number[], matches: number, most = countedUpTo): FoundEvents {
  if (matches > most) return { ids, total: most, totalRelation: 'gte' };
  return { ids, total: matches, totalRelation: 'eq' };
}

function newestIds({ lead, order = 'id', rest }: Plan, limit: number, offset: number): Query {
  const where = sql.join(rest, sql` and `);
  const newestFirst = order === 'id' ? sql`id desc` : sql`created_at desc, id desc`;
  const page = (query: Query) => sql<{ id: number }>`${query} order by ${newestFirst} limit ${limit} offset ${offset}`;
  if (lead === null) return page(sql`select id from events where ${where}`);
  const column = sql.ref(lead.column);
  if (lead.values.length > maxBranches) {
    return page(sql`select id from events where ${column} in (${sql.join(lead.values)}) and ${where}`);
  }
  const branches = [...new Set(lead.values)].map(
    (value) => sql`select id from events where ${column} = ${value} and ${where}`,
  );
  if (branches.length === 1) return page(branches[0] as Query);
  // An index has each value's events in order but not those of several, so the newest of each are merged.
  const most = offset + limit;
  const merged = branches.map((branch) => sql`select id from (${branch} order by id desc limit ${most}) as branch`);
  return page(sql`select id from (${sql.join(merged, sql` union all `)}) as merged`);
}

/** Filters by the index to prefer when there is nothing else to go by. */
function termsOf(wanted: EventSearch): Term[] {
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
  return columns.flatMap(([column, values]) => (values === undefined ? [] : [{ column, values }]));
}

/** The filter that the fewest events meet; null when it is the text, of which `few` events hold it. */
async function lightest(
  source: Source,
  terms: readonly Term[],
  range: IdRange,
  few: number | null,
): Promise<Term | null> {
  if (terms.length <= 1 && few === null) return terms[0] ?? null;
  const weights = await Promise.all(terms.map((term) => weigh(source, term, range)));
  const least = Math.min(...weights);
  if (few !== null && few < least) return null;
  return terms[weights.indexOf(least)] ?? null;
}

async function weigh({ search }: Source, term: Term, range: IdRange): Promise<number> {
  const ids = newestIds({ lead: term, rest: [inRange(range)] }, weighedUpTo, 0);
  const result = await sql<{ n: number }>`select count(*) as n from (${ids}) as found`.execute(search);
  return result.rows[0]?.n ?? 0;
}

/** A filter that another one leads. Behind an expression, so that no planner takes its index all the same. */
function checked({ column, values }: Term): Condition {
  const value = typeof values[0] === 'number' ? sql`${sql.ref(column)} + 0` : sql`${sql.ref(column)} || ''`;
  return sql<boolean>`(${value}) in (${sql.join(values)})`;
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

interface IdRange {
  readonly after: number;
  readonly before: number;
}

function inRange({ after, before }: IdRange): Condition {
  return sql<boolean>`id > ${after} and id < ${before}`;
}

function inTime({ from, until }: EventSearch): Condition[] {
  const end = until ?? Number.MAX_SAFE_INTEGER;
  return [sql<boolean>`created_at >= ${from ?? 0} and created_at < ${end}`];
}

/** The ids of events that happened in time. */
async function idRange({ search }: Source, { from, until }: EventSearch): Promise<IdRange> {
  const firstSince = async (time: number | undefined): Promise<number | undefined> => {
    if (time === undefined) return undefined;
    const query = sql<{
      id: number;
    }>`select id from events where created_at >= ${time} order by created_at, id limit 1`;
    return (await query.execute(search)).rows[0]?.id ?? Number.MAX_SAFE_INTEGER;
  };
  const [first, end] = await Promise.all([firstSince(from), firstSince(until)]);
  return { after: (first ?? 1) - 1, before: end ?? Number.MAX_SAFE_INTEGER };
}
