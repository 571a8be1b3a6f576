import type { RawBuilder } from 'kysely';

/** Ids greater than `after` and smaller than `before`. */
export interface IdRange {
  readonly after: number;
  readonly before: number;
}

/**
 * Finds events by a piece of their text: of their data, their previous data and their tags as JSON, upper and
 * lower case alike.
 */
export interface EventText {
  /** Whether an index helps to find `words`; too few characters have to be looked for in every event. */
  indexed(words: string): boolean;
  /** Ids of the newest events within `range` that hold `words`, newest first: at most `limit`, past the first `offset`. */
  newest(words: string, range: IdRange, limit: number, offset: number): Promise<number[]>;
  /**
   * Holding `words`, as a condition on `events`. `few` says that no more than some thousand events hold them,
   * so that finding all of those first is the shorter way.
   */
  matches(words: string, few: boolean): RawBuilder<boolean>;
}

/** `words` anywhere, as a pattern for LIKE with the escape character `\`. */
export function anywhere(words: string): string {
  return `%${words.replace(/[\\%_]/g, '\\$&')}%`;
}
