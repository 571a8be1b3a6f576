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

/** Returns the condition that a text contains `words`, without regard to case, on every engine and in every locale. */
export function containsText(text: RawBuilder<unknown>, words: string): RawBuilder<boolean> {
  const wanted = foldCase(words);
  // lower() folds the letters of ASCII; of others, SQLite folds none, and PostgreSQL those of its locale. Each other
  // letter of the words is replaced in the text.
  const others = new Set([...wanted].filter((letter) => !/\p{ASCII}/u.test(letter)));
  let folded = sql`lower(${text})`;
  for (const letter of others)
    for (const variant of caseVariants(letter)) folded = sql`replace(${folded}, ${variant}, ${letter})`;
  return sql<boolean>`${folded} like ${anywhere(wanted)} escape '\\'`;
}

/** Folds each letter by itself, to one letter: `İ` stays, because its small form has two characters. */
function foldCase(text: string): string {
  return [...text].map((letter) => (isOneLetter(letter.toLowerCase()) ? letter.toLowerCase() : letter)).join('');
}

/** Returns the other letters that are folded to `letter`. */
function caseVariants(letter: string): string[] {
  const upper = letter.toUpperCase();
  return upper !== letter && isOneLetter(upper) && upper.toLowerCase() === letter ? [upper] : [];
}

function isOneLetter(text: string): boolean {
  return [...text].length === 1;
}
