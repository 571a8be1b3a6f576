import { type RawBuilder, sql } from 'kysely';
import type { Search } from './search.ts';

/** Ids greater than `after` and smaller than `before`. */
export interface IdRange {
  readonly after: number;
  readonly before: number;
}

/** The result of a search for events that contain a text. */
export interface TextMatches {
  /** Newest first. */
  readonly ids: readonly number[];
  /**
   * The smallest id searched: `ids` holds all matches from this id on. `after + 1` when the whole range was searched.
   */
  readonly reached: number;
}

/** Full-text search in events: a case-insensitive substring of their data, previous data or tags, as JSON. */
export interface EventText {
  /** Returns whether the text index can find `words`. Shorter texts must be searched in every event. */
  indexed(words: string): boolean;
  /**
   * Searches the text index for the newest events within `range` that contain `words`, at most `limit`. Stops early
   * when the search takes too long; `reached` then says how far the search came, and is `range.before` when it searched
   * no event.
   */
  newest(search: Search, words: string, range: IdRange, limit: number): Promise<TextMatches>;
  /** Returns the condition that a row of `events` contains `words`; undefined when only the text index can tell. */
  holds(words: string): RawBuilder<boolean> | undefined;
}

/** Returns a LIKE pattern that matches `words` anywhere, with the escape character `\`. */
export function anywhere(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`;
}

/**
 * Returns the condition that a text contains `words`, without regard to case. SQLite folds the case of ASCII letters
 * only, so other words are also compared as they are.
 */
export function containsText(text: RawBuilder<unknown>, words: string): RawBuilder<boolean> {
  const folded = sql<boolean>`lower(${text}) like ${anywhere(words.toLowerCase())} escape '\\'`;
  if (/^\p{ASCII}*$/u.test(words)) return folded;
  return sql<boolean>`(${folded} or ${text} like ${anywhere(words)} escape '\\')`;
}
