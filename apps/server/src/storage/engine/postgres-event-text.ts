import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Tables } from '../tables.ts';
import { anywhere, type EventText } from './event-text.ts';

/** Searches through the trigram index or past it, as the planner finds shorter. */
export function postgresEventText(search: Kysely<Tables>): EventText {
  return {
    indexed: (words) => [...words].length >= 3,
    newest: async (words, { after, before }, limit, offset) => {
      const newest = sql<{
        id: number;
      }>`select id from events where id > ${after} and id < ${before} and ${holds(words)} order by id desc limit ${limit} offset ${offset}`;
      return (await newest.execute(search)).rows.map(({ id }) => id);
    },
    matches: holds,
  };
}

function holds(words: string): RawBuilder<boolean> {
  // Written exactly as the trigram index is, or the planner would not use it.
  return sql<boolean>`((coalesce(events.data, '') || ' ' || coalesce(events.pre_data, '') || ' ' || events.tags) collate "default") ilike ${anywhere(words)}`;
}
