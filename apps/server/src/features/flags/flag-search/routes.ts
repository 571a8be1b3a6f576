import type { featureSearchRoutes } from '@yardarm/contract';
import { pagesOfNamed } from '#features/flags/reading/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import { badField } from '#kernel/errors.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import { formatCursor, parseCursor } from './cursor.ts';
import { searchResultsAsText } from './present.ts';
import { searchFlags } from './queries.ts';

export function flagSearchHandlers({ db }: Database, clock: Clock): Handlers<typeof featureSearchRoutes> {
  return {
    'GET /api/admin/search/features': async ({ query, caller }) => {
      const {
        query: words,
        archived,
        held,
        offset,
        limit,
        cursor,
        sortBy,
        sortOrder,
        favoritesFirst,
        ...filters
      } = query;
      const search = {
        ...filters,
        words,
        archived: archived?.values[0] === 'true',
        held: held && held.values[0] === 'true',
        notIn: [...caller.hidden],
      };
      const order = {
        key: sortBy ?? 'createdAt',
        descending: sortOrder === 'desc',
        favoritesOf: favoritesFirst === 'true' ? caller.actor.userId : undefined,
      };
      if (cursor !== undefined && offset > 0) throw badField('cursor', 'must not be combined with an offset');
      const after = cursor === undefined ? undefined : parseCursor(order, cursor);
      const { names, total, end } = await searchFlags(db, search, order, { offset, limit, after }, clock.now());
      const next = end === null ? null : formatCursor(order, end);
      const pages = pagesOfNamed(db, names, caller.actor);
      return { body: jsonList({ total, next }, 'features', searchResultsAsText(db, pages)) };
    },
  };
}
