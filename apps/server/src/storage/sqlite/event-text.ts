import { type RawBuilder, sql } from 'kysely';
import { anywhere, type EventText, type IdRange, type TextMatches } from '../event-text-search.ts';
import type { Search } from '../search.ts';

/**
 * The number of ids in the first window that is searched. The next window is larger when a window was searched quickly,
 * or took less than twice the time of the window before. In a log of 4 million events, each statement takes at least 6
 * ms to read the lists of the trigrams, even for a small window.
 */
const firstWindow = 100_000;
const quickMs = 10;
const growth = 4;
/** Milliseconds after which the search stops with the matches found so far. */
const budgetMs = 100;

/**
 * Searches with an FTS5 trigram index, which finds texts of three characters or more and folds the case of all Unicode.
 */
export const sqliteEventText: EventText = {
  indexed,
  newest: async (search, words, range, limit) => {
    const began = search.usedMs;
    const ids: number[] = [];
    let { before } = range;
    let previousMs = 0;
    // FTS5 checks every event that has all trigrams of the phrase, which may be many for few matches. SQLite cannot
    // interrupt a statement, so each statement searches a window of ids.
    for (let size = firstWindow; before > range.after + 1; ) {
      const after = Math.max(range.after, before - 1 - size);
      const startedAt = search.usedMs;
      const found = await newestIn(search, words, { after, before }, limit - ids.length);
      ids.push(...found);
      if (ids.length === limit) return { ids, reached: ids.at(-1) ?? before };
      before = after + 1;
      const tookMs = search.usedMs - startedAt;
      if (tookMs < Math.max(quickMs, 2 * previousMs)) size *= growth;
      previousMs = tookMs;
      if (search.usedMs - began > budgetMs) break;
    }
    return { ids, reached: before } satisfies TextMatches;
  },
  // LIKE folds the case of ASCII only.
  holds: (words) => (indexed(words) && !isAscii(words) ? undefined : holds(words)),
};

async function newestIn(search: Search, words: string, { after, before }: IdRange, limit: number): Promise<number[]> {
  // FTS5 returns matches by descending rowid, so the statement stops at the limit. FTS5 uses rowid bounds only when
  // they are integers; the driver binds numbers as floating point, so the bounds are bigints.
  const newest = sql<{
    id: number;
  }>`select rowid as id from events_text where events_text match ${phrase(words)} and rowid > ${BigInt(after)} and rowid < ${BigInt(before)} order by rowid desc limit ${limit}`;
  return (await newest.execute(search.db)).rows.map(({ id }) => id);
}

function indexed(words: string): boolean {
  return [...words].length >= 3;
}

function phrase(words: string): string {
  return `"${words.replaceAll('"', '""')}"`;
}

function isAscii(words: string): boolean {
  return /^[\0-\x7f]*$/.test(words);
}

function holds(words: string): RawBuilder<boolean> {
  const patterns = isAscii(words) ? [words] : caseVariants([...words]);
  const like = patterns.flatMap((pattern) =>
    ['data', 'pre_data', 'tags'].map(
      (column) => sql`coalesce(${sql.ref(`events.${column}`)}, '') like ${anywhere(pattern)} escape '\\'`,
    ),
  );
  return sql<boolean>`(${sql.join(like, sql` or `)})`;
}

/** Returns all spellings of one or two characters in upper and lower case. */
function caseVariants(characters: readonly string[]): string[] {
  return characters.reduce<string[]>(
    (begun, character) => {
      const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
      return begun.flatMap((text) => [...cases].map((spelling) => text + spelling));
    },
    [''],
  );
}
