import { type RawBuilder, sql } from 'kysely';
import { anywhere, type EventText, type IdRange, type TextMatches } from './event-text.ts';
import type { Search } from './search.ts';

/** Ids in the first window that is searched; each that was quick makes the next one larger. */
const firstWindow = 100_000;
const quickMs = 10;
const growth = 4;
/** Milliseconds after which it stops with what it has found. */
const patienceMs = 100;

/** Searches through FTS5 with trigrams, which serve three characters and more and fold the case of all of Unicode. */
export const sqliteEventText: EventText = {
  indexed,
  newest: async (search, words, range, limit) => {
    const began = search.usedMs;
    const ids: number[] = [];
    let { before } = range;
    // A phrase whose trigrams are all common, but which is in few events, is looked for in all that have the trigrams. A
    // statement cannot be interrupted, so it gets a window of ids.
    for (let size = firstWindow; before > range.after + 1; ) {
      const after = Math.max(range.after, before - 1 - size);
      const startedAt = search.usedMs;
      const found = await newestIn(search, words, { after, before }, limit - ids.length);
      ids.push(...found);
      if (ids.length === limit) return { ids, reached: ids.at(-1) ?? before };
      before = after + 1;
      if (search.usedMs - startedAt < quickMs) size *= growth;
      if (search.usedMs - began > patienceMs) break;
    }
    return { ids, reached: before } satisfies TextMatches;
  },
  // LIKE folds the case of ASCII only.
  holds: (words) => (indexed(words) && !isAscii(words) ? undefined : holds(words)),
};

async function newestIn(search: Search, words: string, { after, before }: IdRange, limit: number): Promise<number[]> {
  // FTS5 hands its matches out by descending rowid, so this stops at the limit. It takes bounds only as integers, and the
  // driver binds numbers as floating point.
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
  const patterns = isAscii(words) ? [words] : inEveryCase([...words]);
  const like = patterns.flatMap((pattern) =>
    ['data', 'pre_data', 'tags'].map(
      (column) => sql`coalesce(${sql.ref(`events.${column}`)}, '') like ${anywhere(pattern)} escape '\\'`,
    ),
  );
  return sql<boolean>`(${sql.join(like, sql` or `)})`;
}

/** All ways to write one or two characters. */
function inEveryCase(characters: readonly string[]): string[] {
  return characters.reduce<string[]>(
    (begun, character) => {
      const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
      return begun.flatMap((text) => [...cases].map((one) => text + one));
    },
    [''],
  );
}
