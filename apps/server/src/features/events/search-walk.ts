import type { EventText, IdRange, TextMatches } from '../../storage/event-text-search.ts';
import type { Search } from '../../storage/search.ts';
import { type Condition, sql } from '../../storage/tx.ts';
import type { Term } from './search-filters.ts';

/** What a step of a walk found. */
export interface Step {
  /** Matches in this step. */
  readonly matches: number;
  /** Those of them that belong to the page, newest first. */
  readonly ids: readonly number[];
  /** Rows looked at. */
  readonly looked: number;
  /** Everything with this id or a greater one has been looked at; `after + 1` at the end of the range. */
  readonly reached: number;
}

/** The part of a step's matches that belongs to the page: past the first `skip`, at most `take`. */
export interface Part {
  readonly skip: number;
  readonly take: number;
}

/** A way to look at the events of a range of ids, newest first. */
export interface Walk {
  /** What a row costs, in rows of an index. */
  readonly cost: number;
  /** Looks at the next rows: about `size` of them. */
  step(range: IdRange, size: number, part: Part): Promise<Step>;
}

/** Values whose indexes are each read by themselves and merged. */
const maxBranches = 16;
/** The length of a window of ids is so many times the number of rows that a step may look at. */
const windowPerRow = 16;
/** To look through the text of an event costs as much as so many rows of an index: in the order of the table, and out of it. */
const costOfText = { inOrder: 2, byIndex: 8 };
/** Ids that the index of texts passes over at the cost of one row. */
const idsPerRow = 100;
/** Matches that are taken from the index of texts at once. */
export const textStep = 2000;

/** Reads the index of `lead`, or all events when no filter leads, and checks each against `rest` and `holds`, a text. */
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
    // Only now, because most steps of a long search find nothing.
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
  /** The lowest id of the window where a step is bounded by ids and not by rows. */
  readonly floor?: number;
}

/** The rows of a step, as a query of their ids and whether they match. */
function rowsOf(lead: Term | undefined, matches: Condition, { after, before }: IdRange, size: number): Rows {
  const columns = sql`events.id as id, ${matches} as matches`;
  if (lead === undefined) {
    const rows = sql<boolean>`select ${columns} from events where id > ${after} and id < ${before} order by id desc limit ${size}`;
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
  if (branches.length === 1) return { rows: branches[0] as Condition };
  // An index has each value's events in order but not those of several, so the newest of each are merged.
  const merged = branches.map((branch) => sql`select id, matches from (${branch}) as branch`);
  return {
    rows: sql<boolean>`select id, matches from (${sql.join(merged, sql` union all `)}) as merged order by id desc limit ${size}`,
  };
}

/** Reads the index of texts and checks each event that holds `words` against `rest`; `first` is what it begins with. */
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

/** About how many events of the range the index of `lead` has, from how close together its newest are. */
export async function estimate({ db }: Search, lead: Term, range: IdRange): Promise<number> {
  const { rows, floor } = rowsOf(lead, sql<boolean>`1`, range, sampled);
  const query = sql<{ n: number; lowest: number | null }>`
    select count(*) as n, min(id) as lowest from (${rows}) as sample`;
  const { n, lowest } = (await query.execute(db)).rows[0] ?? { n: 0, lowest: null };
  const reached = floor ?? (n < sampled ? range.after + 1 : (lowest ?? range.after + 1));
  return extrapolate(range, n, reached);
}

const sampled = 1000;

/** How many there would be in the whole range when there are `n` down to `reached`. */
export function extrapolate({ after, before }: IdRange, n: number, reached: number): number {
  return (n * (before - 1 - after)) / Math.max(1, before - reached);
}
