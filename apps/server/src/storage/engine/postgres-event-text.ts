import { type RawBuilder, sql } from 'kysely';
import { SearchStopped } from '../search-turns.ts';
import { anywhere, type EventText } from './event-text.ts';

/** Milliseconds for the trigram index to find all events that hold a text. */
const patienceMs = 150;

/** Searches through the trigram index or past it, as the planner finds shorter. */
export const postgresEventText: EventText = {
  indexed: (words) => [...words].length >= 3,
  newest: async (search, words, { after, before }, limit) => {
    const newest = sql<{
      id: number;
    }>`select id from events where id > ${after} and id < ${before} and ${inIndex(words)} order by id desc limit ${limit}`;
    try {
      const ids = (await newest.execute(search.within(patienceMs))).rows.map(({ id }) => id);
      return { ids, reached: ids.length === limit ? (ids.at(-1) ?? before) : after + 1 };
    } catch (error) {
      if (error instanceof SearchStopped) return { ids: [], reached: before };
      throw error;
    }
  },
  // To fold the case of ASCII alone is several times quicker than by the rules of a locale.
  holds: (words) =>
    /^[\0-\x7f]*$/.test(words) ? sql<boolean>`(${body} collate "C") ilike ${anywhere(words)}` : inIndex(words),
};

const body = sql`(coalesce(events.data, '') || ' ' || coalesce(events.pre_data, '') || ' ' || events.tags)`;

function inIndex(words: string): RawBuilder<boolean> {
  // Written exactly as the trigram index is, or the planner would not use it.
  return sql<boolean>`(${body} collate "default") ilike ${anywhere(words)}`;
}
