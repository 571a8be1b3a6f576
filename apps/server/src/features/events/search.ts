import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { TextMatches } from '../../storage/event-text-search.ts';
import type { Search } from '../../storage/search.ts';
import { SearchStopped } from '../../storage/search-scheduler.ts';
import { conditionsOf, type EventSearch, idRange, type Term, termsOf } from './search-filters.ts';
import { type FoundEvents, SearchProgress } from './search-progress.ts';
import { columnWalk, estimate, extrapolate, textStep, textWalk } from './search-walk.ts';

/** The part of the matches that is asked for. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  /** `nextCursor` of an earlier answer; it takes the place of `offset`. */
  readonly cursor?: Cursor | undefined;
}

/** Only events with a smaller id, without the first `skip` matches among them. */
export interface Cursor {
  readonly before: number;
  readonly skip: number;
}

export interface SearchLimits {
  /** Rows of events or of an index that a search looks at. */
  readonly rows: number;
  /** Milliseconds after which a search answers with what it has. */
  readonly timeoutMs: number;
}

type Source = Pick<Database, 'beginSearch' | 'eventText'>;

/** Matches beyond this many are not counted: a count would cost more than the answer. */
const countedUpTo = 10_000;
/** The same for a text. */
const countedInText = 1000;
/** A text that so many of the first events hold is found sooner without its index. */
const common = 50;
/** Rows that are looked at, once the page is full, only to count further matches of a text. */
const rowsToCountText = 10_000;

/**
 * Finds a page of events, newest first. However long the log, it looks at no more than `limits.rows` rows, in steps of
 * some milliseconds between which other searches get their turn. A search that stops early answers with what it has
 * found and a cursor. Rejects with 503 when its time is over before it looked at anything, and with 408 when `gone`
 * says that the client no longer waits.
 */
export async function searchEvents(
  source: Source,
  wanted: EventSearch,
  page: Page,
  limits: SearchLimits,
  gone: AbortSignal,
): Promise<FoundEvents> {
  const stop = AbortSignal.any([gone, AbortSignal.timeout(limits.timeoutMs)]);
  const search = source.beginSearch({ stop, statementMs: limits.timeoutMs });
  let progress: SearchProgress | undefined;
  try {
    const range = await idRange(search, wanted);
    const { words } = wanted;
    progress = new SearchProgress(
      { after: range.after, before: Math.min(range.before, page.cursor?.before ?? range.before) },
      {
        skip: page.cursor?.skip ?? page.offset,
        limit: page.limit,
        counted: words === undefined ? countedUpTo : countedInText,
        rows: limits.rows,
        rowsToCount: words === undefined ? limits.rows : rowsToCountText,
      },
    );
    await look(source, search, wanted, progress);
    return progress.found();
  } catch (error) {
    if (!(error instanceof SearchStopped)) throw error;
    if (gone.aborted) throw new Problem('RequestTimeoutError', 'The client closed the connection during the search.');
    if (progress?.hasBegun !== true) throw tooBusy();
    return progress.found();
  }
}

/** The answer to a search that does not run because too many others do. */
export function tooBusy(): Problem {
  return new Problem('ServiceUnavailableError', 'Too many event searches are running. Try again in a moment.', {
    headers: { 'retry-after': '1' },
  });
}

async function look(source: Source, search: Search, wanted: EventSearch, progress: SearchProgress): Promise<void> {
  if (progress.isOver) return;
  const terms = termsOf(wanted);
  const { words } = wanted;
  const lead = await lightest(search, terms, progress);
  const rest = conditionsOf(
    wanted,
    terms.filter((term) => term !== lead),
  );
  if (words === undefined) {
    await progress.follow(columnWalk(search, lead, rest), search);
    return;
  }
  const { eventText } = source;
  const holds = eventText.holds(words);
  const scan = holds && columnWalk(search, lead, rest, holds);
  // Where the text is common, the newest events fill the page and its index is not needed.
  if (scan !== undefined) await progress.follow(scan, search, 1);
  const isCommon = progress.isFull && progress.matches >= common;
  if (eventText.indexed(words) && !progress.isOver && !isCommon) {
    const newest = await eventText.newest(search, words, progress.range, textStep);
    if (scan === undefined || (await isShorter(search, newest, lead, progress))) {
      const all = conditionsOf(wanted, terms);
      await progress.follow(textWalk(search, eventText, words, all, newest), search);
    }
  }
  if (scan !== undefined) await progress.follow(scan, search);
}

/** The filter whose index has the fewest events, as far as its newest tell. */
async function lightest(search: Search, terms: readonly Term[], { range }: SearchProgress): Promise<Term | undefined> {
  if (terms.length <= 1) return terms[0];
  const weights = await Promise.all(terms.map((term) => estimate(search, term, range)));
  return terms[weights.indexOf(Math.min(...weights))];
}

/** Whether fewer events hold the text than the index of `lead` has. */
async function isShorter(
  search: Search,
  { ids, reached }: TextMatches,
  lead: Term | undefined,
  { range }: SearchProgress,
): Promise<boolean> {
  if (reached >= range.before) return false;
  if (lead === undefined) return true;
  return extrapolate(range, ids.length, reached) < (await estimate(search, lead, range));
}
