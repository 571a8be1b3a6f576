import { type RawBuilder, sql } from 'kysely';
import { anywhere, type EventText } from '../event-text-search.ts';
import { SearchStopped } from '../search-scheduler.ts';

/** The time limit of a search in the trigram index. */
const indexSearchMs = 150;

/** Searches with the trigram index, or without it when the planner expects that to be faster. */
export const postgresEventText: EventText = {
  indexed: (words) => [...words].length >= 3,
  newest: async (search, words, { after, before }, limit) => {
    const newest = sql<{
      id: number;
    }>`select id from events where id > ${after} and id < ${before} and ${inIndex(words)} order by id desc limit ${limit}`;
    try {
      const ids = (await newest.execute(search.within(indexSearchMs))).rows.map(({ id }) => id);
      return { ids, reached: ids.length === limit ? (ids.at(-1) ?? before) : after + 1 };
    } catch (error) {
      if (error instanceof SearchStopped) return { ids: [], reached: before };
      throw error;
    }
  },
  // Folding the case of ASCII only is several times faster than folding by the rules of a locale.
  holds: (words) =>
    /^[\0-\x7f]*$/.test(words) ? sql<boolean>`(${body} collate "C") ilike ${anywhere(words)}` : inIndex(words),
};

const body = sql`(coalesce(events.data, '') || ' ' || coalesce(events.pre_data, '') || ' ' || events.tags)`;

function inIndex(words: string): RawBuilder<boolean> {
  // Must be the exact expression of the trigram index, or the planner does not use it.
  return sql<boolean>`(${body} collate "default") ilike ${anywhere(words)}`;
}
