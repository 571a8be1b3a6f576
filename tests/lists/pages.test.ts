import { type RouteKey, type RouteSpec, routes } from '@yardarm/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { givenRun } from '../../apps/server/testing/actions.ts';
import { createStorage, startServer, type TestServer } from '../../apps/server/testing/server.ts';

import { type Rooted, rootedWorld } from './world.ts';

// Every list with pages must show the same items page by page as in one answer: none is left out, none comes twice. The
// lists are found in the contract, and a new one is tested without a new line unless its pages are chosen otherwise.

type Key = keyof typeof routes & RouteKey;

/** The parameters that limit a page or choose it. */
const paging = ['offset', 'before', 'after', 'cursor'] as const;
type Paging = (typeof paging)[number];

const ids = (item: Item) => Number(item['id']);
type Item = Readonly<Record<string, unknown>>;
type Answer = Readonly<Record<string, unknown>>;

/** How the parameter of the next page follows from the items so far and the last answer. */
const next: Readonly<Record<Paging, (items: readonly Item[], answer: Answer) => string | number | undefined>> = {
  offset: (items) => items.length,
  before: (items) => Math.min(...items.map(ids)),
  after: (items) => Math.max(...items.map(ids)),
  cursor: (_items, answer) => (answer['nextCursor'] ?? answer['next'] ?? undefined) as string | undefined,
};

const queryOf = (spec: RouteSpec): readonly string[] =>
  Object.keys((spec.query as { def?: { shape?: object } } | undefined)?.def?.shape ?? {});

const lists = (Object.entries(routes) as [Key, RouteSpec][]).flatMap(([key, spec]) => {
  const query = queryOf(spec);
  // The feed answers with a cursor, and its pages are tested beside it.
  if (!key.startsWith('GET ') || !query.includes('limit') || key === 'GET /api/admin/events/feed') return [];
  return paging.filter((name) => query.includes(name)).map((name): [Key, Paging] => [key, name]);
});

/** The parameters of lists whose paths name them in another way than the world. */
const paramsOf = (key: Key, { params }: Rooted): Readonly<Record<string, string>> =>
  /addons|integrations/.test(key) ? { ...params, id: params['integrationId'] ?? '' } : params;

const storage = await createStorage();
let server: TestServer;
let world: Rooted;

beforeAll(async () => {
  const lifted = { signalEndpointsLimit: 1000, environmentLimit: 1000, strategyLimit: 1000, actionSetsLimit: 1000 };
  server = await startServer(storage, lifted);
  world = await rootedWorld(server);
  for (let size = 0; size < 5; size++) {
    await world.grow();
    // Each run has an hour of its own, and so is an incident.
    server.clock.advance(3_600_000);
    await givenRun(server);
  }
}, 120_000);

afterAll(async () => {
  await server?.stop();
  await storage.remove();
});

describe.each(lists)('%s by %s', (key, by) => {
  const read = async (query: Readonly<Record<string, string | number>>) => {
    const params = paramsOf(key, world);
    const reply = await server.admin.call(key, { params, query });
    expect(reply.status, reply.text).toBe(200);
    const answer = reply.json as Answer;
    const items = (Array.isArray(answer) ? answer : Object.values(answer).find(Array.isArray)) as readonly Item[];
    return { items, answer };
  };

  it('shows the same items page by page as in one answer', async () => {
    const isAscending = by === 'after';
    const start: Readonly<Record<string, string | number>> = isAscending ? { after: 0 } : {};
    const { items: all } = await read({ limit: 100, ...start });
    expect(all.length, 'the list must have more than two pages of two').toBeGreaterThan(4);
    const shown: Item[] = [];
    let choice: Readonly<Record<string, string | number>> = start;
    while (shown.length < all.length) {
      const { items, answer } = await read({ limit: 2, ...choice });
      expect(items.length).toBeLessThanOrEqual(2);
      if (items.length === 0) break;
      shown.push(...items);
      const value = next[by](shown, answer);
      if (value === undefined) break;
      choice = { [by]: value };
    }
    expect(shown.slice(0, all.length)).toEqual(all);
  });
});
