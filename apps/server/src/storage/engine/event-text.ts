import type { RawBuilder } from 'kysely';
import type { Search } from './search.ts';

/** Ids greater than `after` and smaller than `before`. */
export interface IdRange {
  readonly after: number;
  readonly before: number;
}

/** Events that hold a text. */
export interface TextMatches {
  /** Newest first. */
  readonly ids: readonly number[];
  /** All matches with this id or a greater one are among them; `after + 1` when the whole range was searched. */
  readonly reached: number;
}

/**
 * Finds events by a piece of their text: of their data, their previous data and their tags as JSON, upper and
 * lower case alike.
 */
export interface EventText {
  /** Whether an index helps to find `words`; too few characters have to be looked for in every event. */
  indexed(words: string): boolean;
  /**
   * Reads the index of texts for the newest events within `range` that hold `words`, at most `limit`. It stops early, by
   * `reached`, when that takes too long; it may then have found nothing and reached nothing.
   */
  newest(search: Search, words: string, range: IdRange, limit: number): Promise<TextMatches>;
  /** Holding `words`, as a condition on a row of `events`; undefined when only the index can tell. */
  holds(words: string): RawBuilder<boolean> | undefined;
}

/** `words` anywhere, as a pattern for LIKE with the escape character `\`. */
export function anywhere(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`;
}
