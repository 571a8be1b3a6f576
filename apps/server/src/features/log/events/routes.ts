import type { eventRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import type { EventRow } from '#storage/tables/events.ts';
import { eventJsonWithOrigin } from './present.ts';
import { eventsById, listCreators, newestNumbers, pagesOfEvents, totalEvents } from './queries.ts';
import { type SearchLimits, searchEvents, tooBusy } from './search.ts';

/** The number of newest events that a request without a project and a limit returns (docs/spec#list-events). */
const lastEvents = 100;
const all = Number.POSITIVE_INFINITY;

export interface EventSearchOptions extends SearchLimits {
  /** The maximum number of searches that run or wait; further searches are answered 503. */
  readonly atOnce: number;
}

export function eventHandlers(database: Database, options: EventSearchOptions): Handlers<typeof eventRoutes> {
  const { db } = database;
  const inQueue = boundedBy(options.atOnce);
  return {
    'GET /api/admin/events': async ({ query }) => {
      const { project, limit, after, before } = query;
      const total = await totalEvents(db, project === undefined ? undefined : 'project', project);
      const most = limit ?? (project === undefined ? lastEvents : all);
      const pages = pagesOfEvents(database, { project, after, before }, most);
      return { body: jsonList({ version: 1, totalEvents: total }, 'events', asText(pages, true)) };
    },
    'GET /api/admin/events/:featureName': async ({ params: { featureName }, query }) => {
      const total = await totalEvents(db, 'feature', featureName);
      const { limit, after, before } = query;
      const pages = pagesOfEvents(database, { feature: featureName, after, before }, limit ?? all);
      return {
        body: jsonList({ version: 1, toggleName: featureName, totalEvents: total }, 'events', asText(pages, true)),
      };
    },
    'GET /api/admin/search/events': async ({ query, caller, request }) => {
      const isAdmin = caller.can('ADMIN');
      const wanted = {
        ids: query.id,
        groupIds: query.groupId,
        features: query.feature,
        projects: query.project,
        types: query.type,
        environments: query.environment,
        createdByUserIds: query.createdBy,
        signalIds: query.signal,
        from: query.from,
        until: query.to,
        words: query.query,
        reason: query.reason,
        limits: { onlyInProjects: !isAdmin, hidden: caller.hidden },
      };
      const { ids, ...totals } = await inQueue(() => searchEvents(database, wanted, query, options, request.gone));
      return { body: jsonList(totals, 'events', asText(eventsById(database, ids), isAdmin)) };
    },
    'GET /api/admin/newest': async () => ({ body: await newestNumbers(db) }),
    'GET /api/admin/event-creators': async ({ caller }) => {
      const limits = { onlyInProjects: !caller.can('ADMIN'), hidden: caller.hidden };
      return { body: await listCreators(db, limits) };
    },
  };
}

/** Returns a function that runs a search, and rejects with 503 when `most` searches run or wait already. */
function boundedBy(most: number): <T>(search: () => Promise<T>) => Promise<T> {
  let open = 0;
  return async (search) => {
    if (open >= most) throw tooBusy();
    open++;
    try {
      return await search();
    } finally {
      open--;
    }
  };
}

async function* asText(pages: AsyncIterable<EventRow[]>, showsOrigin: boolean): AsyncGenerator<string[]> {
  for await (const page of pages) yield page.map((row) => eventJsonWithOrigin(row, showsOrigin));
}
