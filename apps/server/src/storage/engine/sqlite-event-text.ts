import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { anywhere, type EventText } from './event-text.ts';

/** Searches through FTS5 with trigrams, which serve three characters and more and fold the case of all of Unicode. */
export function sqliteEventText(search: Kysely<Tables>): EventText {
  return {
    indexed,
    newest: async (words, { after, before }, limit, offset) => {
      // FTS5 hands its matches out by descending rowid, so this stops at the limit. It takes bounds only as integers,
      // and the driver binds numbers as floating point.
      const newest = indexed(words)
        ? sql<{
            id: number;
          }>`select rowid as id from events_text where events_text match ${phrase(words)} and rowid > ${BigInt(after)} and rowid < ${BigInt(before)} order by rowid desc limit ${limit} offset ${offset}`
        : sql<{
            id: number;
          }>`select id from events where id > ${after} and id < ${before} and ${holds(words)} order by id desc limit ${limit} offset ${offset}`;
      return (await newest.execute(search)).rows.map(({ id }) => id);
    },
    // Without few of them, LIKE on each event that meets the other conditions; it folds the case of ASCII only, so
    // other words take the longer way.
    matches: (words, few) =>
      indexed(words) && (few || !isAscii(words))
        ? sql<boolean>`events.id in (select rowid from events_text where events_text match ${phrase(words)})`
        : holds(words),
  };
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
