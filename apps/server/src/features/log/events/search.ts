import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { TextMatches } from '#storage/event-text-search.ts';
import type { Search } from '#storage/search.ts';
import { SearchStopped } from '#storage/search-scheduler.ts';
import { conditionsOf, type EventSearch, idRange, type Term, termsOf } from './search-filters.ts';
import { type FoundEvents, SearchProgress } from './search-progress.ts';
import { columnWalk, estimate, extrapolate, textStep, textWalk } from './search-walk.ts';

/** The requested part of the matches. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  /** `nextCursor` of an earlier answer; it replaces `offset`. */
  readonly cursor?: Cursor | undefined;
}

/** Continues with events of an id below `before`, after skipping `skip` matches. */
export interface Cursor {
  readonly before: number;
  readonly skip: number;
}

export interface SearchLimits {
  /** The maximum number of rows that a search examines. */
  readonly rows: number;
  /** Milliseconds after which a search answers with the matches found so far. */
  readonly timeoutMs: number;
}

type Source = Pick<Database, 'beginSearch' | 'eventText'>;

/** The maximum number of matches that are counted: counting more would cost more than the answer. */
const countedUpTo = 10_000;
/** The maximum number of counted matches in a text search. */
const countedInText = 1000;
/** A text with this number of matches in the first step is found faster without the text index. */
const common = 50;
/** The maximum number of rows examined after the page is full, only to count further matches of a text. */
const rowsToCountText = 10_000;

/**
 * Returns a page of events, newest first. Examines at most `limits.rows` rows, in steps of some milliseconds, between
 * which other searches run. A search that stops early returns the matches found so far and a cursor. Rejects with 503
 * when its time is over before the first step, and with 408 when `gone` signals that the client closed the connection.
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

/** Returns the 503 for a search that does not run because of too many others. */
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
  // When the text is common, the newest events fill the page without the text index.
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

/** Returns the most selective filter, estimated from its newest events. */
async function lightest(search: Search, terms: readonly Term[], { range }: SearchProgress): Promise<Term | undefined> {
  if (terms.length <= 1) return terms[0];
  const weights = await Promise.all(terms.map((term) => estimate(search, term, range)));
  return terms[weights.indexOf(Math.min(...weights))];
}

/** Returns whether the text index has fewer events than the index of `lead`. */
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
