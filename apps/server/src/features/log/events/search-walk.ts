import type { EventText, IdRange, TextMatches } from '#storage/event-text-search.ts';
import type { Search } from '#storage/search.ts';
import { type Condition, sql } from '#storage/tx.ts';
import { anyReason, type Term } from './search-filters.ts';

/** The result of a step of a walk. */
export interface Step {
  /** Matches in this step. */
  readonly matches: number;
  /** The ids of the matches that belong to the page, newest first. */
  readonly ids: readonly number[];
  /** The number of rows examined. */
  readonly looked: number;
  /** All events with this id or a greater one have been examined; `after + 1` at the end of the range. */
  readonly reached: number;
}

/** The part of a step's matches that belongs to the page: past the first `skip`, at most `take`. */
export interface Part {
  readonly skip: number;
  readonly take: number;
}

/** A search plan: a way to examine the events of a range of ids, newest first. */
export interface Walk {
  /** The cost of a row, in rows of an index. */
  readonly cost: number;
  /** Examines about `size` rows. */
  step(range: IdRange, size: number, part: Part): Promise<Step>;
}

/** The maximum number of values that are read by one index scan each and merged. */
const maxBranches = 16;
/** The length of a window of ids, as a multiple of the number of rows that a step may examine. */
const windowPerRow = 16;
/** The cost of searching the text of an event, in rows of an index: in table order, and by index. */
const costOfText = { inOrder: 2, byIndex: 8 };
/** The number of ids that the text index skips at the cost of one row. */
const idsPerRow = 100;
/** The number of matches read from the text index in a step. */
export const textStep = 2000;

/**
 * Scans the index of `lead`, or all events without it, and checks each event against `rest` and the text condition
 * `holds`.
 */
export function columnWalk(
  { db }: Search,
  lead: Term | undefined,
  rest: readonly Condition[],
  holds?: Condition | undefined,
): Walk {
  const all = holds === undefined ? rest : [...rest, holds];
  const matches =
    all.length === 0 ? sql<boolean>`1` : sql<boolean>`case when ${sql.join(all, sql` and `)} then 1 else 0 end`;
  const step: Walk['step'] = async (range, size, { skip, take }) => {
    const { rows, floor } = rowsOf(lead, matches, range, size);
    const sums = sql<{ lowest: number | null; looked: number; matches: number }>`
      select min(id) as lowest, count(*) as looked, coalesce(sum(matches), 0) as matches from (${rows}) as looked`;
    const { lowest, looked, matches: found } = (await sums.execute(db)).rows[0] ?? nothing;
    const page = sql<{
      id: number;
    }>`select id from (${rows}) as looked where matches = 1 order by id desc limit ${take} offset ${skip}`;
    // A separate query, because most steps of a long search find nothing.
    const ids = take > 0 && found > skip ? (await page.execute(db)).rows.map(({ id }) => id) : [];
    return {
      matches: found,
      ids,
      looked: looked + (floor === undefined ? 0 : (lead?.values.length ?? 0)),
      reached: floor ?? (looked < size ? range.after + 1 : (lowest ?? range.after + 1)),
    };
  };
  const costOfRow = lead === undefined ? costOfText.inOrder : costOfText.byIndex;
  return { cost: holds === undefined ? 1 : costOfRow, step };
}

const nothing = { lowest: null, looked: 0, matches: 0 };

interface Rows {
  readonly rows: Condition;
  /** The lowest id of the window, when a step is limited by ids instead of rows. */
  readonly floor?: number;
}

/** Returns the query of a step: ids, and whether they match. */
function rowsOf(lead: Term | undefined, matches: Condition, { after, before }: IdRange, size: number): Rows {
  const columns = sql`events.id as id, ${matches} as matches`;
  if (lead === undefined || lead === anyReason) {
    const hasReason = lead === anyReason ? sql`reason is not null and ` : sql``;
    const rows = sql<boolean>`select ${columns} from events where ${hasReason}id > ${after} and id < ${before} order by id desc limit ${size}`;
    return { rows };
  }
  const column = sql.ref(`events.${lead.column}`);
  if (lead.column === 'id' || lead.values.length > maxBranches) {
    const floor = lead.column === 'id' ? after + 1 : Math.max(after + 1, before - size * windowPerRow);
    const rows = sql<boolean>`select ${columns} from events where ${column} in (${sql.join(lead.values)}) and id >= ${floor} and id < ${before}`;
    return { rows, floor };
  }
  const branches = lead.values.map(
    (value) =>
      sql<boolean>`select ${columns} from events where ${column} = ${value} and events.id > ${after} and events.id < ${before} order by events.id desc limit ${size}`,
  );
  const [branch, ...others] = branches;
  if (branch !== undefined && others.length === 0) return { rows: branch };
  // An index is ordered by id for a single value only, so the newest events of each value are merged.
  const merged = branches.map((branch) => sql`select id, matches from (${branch}) as branch`);
  return {
    rows: sql<boolean>`select id, matches from (${sql.join(merged, sql` union all `)}) as merged order by id desc limit ${size}`,
  };
}

/**
 * Reads the text index and checks each event that contains `words` against `rest`; `first` is the result of the first
 * step.
 */
export function textWalk(
  search: Search,
  text: EventText,
  words: string,
  rest: readonly Condition[],
  first: TextMatches,
): Walk {
  let next: TextMatches | undefined = first;
  const step: Walk['step'] = async (range, _size, { skip, take }) => {
    const { ids, reached } = next ?? (await text.newest(search, words, range, textStep));
    next = undefined;
    const matching = rest.length === 0 ? ids : await meeting(search, ids, rest);
    const looked = ids.length + Math.floor((range.before - reached) / idsPerRow);
    return { matches: matching.length, ids: matching.slice(skip, skip + take), looked, reached };
  };
  return { cost: 1, step };
}

async function meeting({ db }: Search, ids: readonly number[], rest: readonly Condition[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const query = sql<{
    id: number;
  }>`select id from events where id in (${sql.join(ids)}) and ${sql.join(rest, sql` and `)} order by id desc`;
  return (await query.execute(db)).rows.map(({ id }) => id);
}

/** Estimates the number of events in the range that match `lead`, from the density of the newest ones. */
export async function estimate({ db }: Search, lead: Term, range: IdRange): Promise<number> {
  const { rows, floor } = rowsOf(lead, sql<boolean>`1`, range, sampled);
  const query = sql<{ n: number; lowest: number | null }>`
    select count(*) as n, min(id) as lowest from (${rows}) as sample`;
  const { n, lowest } = (await query.execute(db)).rows[0] ?? { n: 0, lowest: null };
  const reached = floor ?? (n < sampled ? range.after + 1 : (lowest ?? range.after + 1));
  return extrapolate(range, n, reached);
}

const sampled = 1000;

/** Estimates the number of matches in the range from the `n` matches between its upper end and the id `reached`. */
export function extrapolate({ after, before }: IdRange, n: number, reached: number): number {
  return (n * (before - 1 - after)) / Math.max(1, before - reached);
}
