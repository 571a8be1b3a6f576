import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NewEvent } from '#storage/tx.ts';
import { TestClock } from '#testing/clock.ts';
import { recordEvents } from '#testing/event-log.ts';
import { createStorage, startServer, type TestServer, type TestStorage } from '#testing/server.ts';

// The filters of a search decide by which of several plans it runs. Each plan must find the same events as an
// examination of every event.

/** The number of random searches. More of them take longer than a test usually may. */
const runs = Number(process.env.YARDARM_TEST_RUNS ?? 150);
const timeout = 20_000 + runs * 50;
const dayMs = 24 * 60 * 60 * 1000;
const start = Date.parse('2026-01-01T06:00:00.000Z');
const [projects, flags, environments] = [
  ['a', 'b', 'c'],
  ['f', 'g', 'h', 'i'],
  ['development', 'production'],
];
const types = ['feature-created', 'feature-tagged', 'feature-environment-enabled'] as const;
const texts = ['Alpha', 'alpha beta', 'BETA', 'gamma 50%', 'Ünder_score', 'ÜBER', 'x'];
const words = ['alpha', 'BET', 'ü', 'ünder', '50%', '_', 'a', 'ax', 'gamma', 'nothing', '"', 'über'];

interface Seen {
  id: number;
  type: string;
  createdAt: string;
  createdByUserId: number;
  project: string | null;
  featureName: string | null;
  environment: string | null;
  groupId: string | null;
  data: unknown;
  preData: unknown;
  tags: unknown;
}

interface Search {
  project?: readonly string[];
  feature?: readonly string[];
  type?: readonly string[];
  environment?: readonly string[];
  createdBy?: readonly number[];
  from?: number;
  to?: number;
  query?: string;
}

const some = <T>(values: readonly T[]) => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
const searches: fc.Arbitrary<Search> = fc.record(
  {
    project: some([...projects, 'unknown']),
    feature: some([...flags, 'unknown']),
    type: some([...types, 'feature-deleted']),
    environment: some(environments),
    createdBy: some([1, 2, 3, 99]),
    from: fc.integer({ min: -1, max: 41 }),
    to: fc.integer({ min: -1, max: 41 }),
    query: fc.constantFrom(...words),
  },
  { requiredKeys: [] },
);

const dayOf = (n: number) => new Date(start + n * dayMs).toISOString().slice(0, 10);

function matches(event: Seen, search: Search): boolean {
  const among = (values: readonly unknown[] | undefined, value: unknown) => values?.includes(value) ?? true;
  const day = event.createdAt.slice(0, 10);
  const text = [event.data, event.preData, event.tags].map((part) => (part === null ? '' : JSON.stringify(part)));
  return (
    among(search.project, event.project) &&
    among(search.feature, event.featureName) &&
    among(search.type, event.type) &&
    among(search.environment, event.environment) &&
    among(search.createdBy, event.createdByUserId) &&
    (search.from === undefined || day >= dayOf(search.from)) &&
    (search.to === undefined || day <= dayOf(search.to)) &&
    (search.query === undefined || text.join(' ').toLowerCase().includes(search.query.toLowerCase()))
  );
}

function queryOf(search: Search): Record<string, string> {
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries(search)) {
    if (Array.isArray(value)) query[name] = `${value.length === 1 ? 'IS' : 'IS_ANY_OF'}:${value.join(',')}`;
    else query[name] = typeof value === 'number' ? `IS:${dayOf(value)}` : value;
  }
  return query;
}

describe('event search finds what a scan of all events finds', () => {
  let storage: TestStorage;
  let server: TestServer;
  let log: Seen[];

  beforeAll(async () => {
    storage = await createStorage();
    const clock = new TestClock();
    clock.advance(start - clock.now());
    server = await startServer(storage, {}, clock);
    const text = fc.option(fc.record({ note: fc.constantFrom(...texts) }));
    const event = fc.record({
      type: fc.constantFrom(...types),
      project: fc.option(fc.constantFrom(...projects)),
      featureName: fc.option(fc.constantFrom(...flags)),
      environment: fc.option(fc.constantFrom(...environments)),
      data: text,
      preData: text,
      tags: fc.constantFrom([], [{ type: 'simple', value: 'alpha' }]),
    });
    const changes = fc.sample(fc.array(event, { minLength: 1, maxLength: 20 }), { numRuns: 40, seed: 7 });
    for (const [n, events] of changes.entries()) {
      await recordEvents(server.app, events as NewEvent[], 1 + (n % 3));
      clock.advance(dayMs);
    }
    log = (await server.admin.call('GET /api/admin/events', { query: { limit: 100_000 } })).json.events;
  });
  afterAll(async () => {
    await server.stop();
    await storage.remove();
  });

  it(
    'finds exactly those, in their order, on every page',
    async () => {
      expect(log.length).toBeGreaterThan(200);
      const pages = fc.record({ offset: fc.nat({ max: 30 }), limit: fc.integer({ min: 1, max: 60 }) });
      await fc.assert(
        fc.asyncProperty(searches, pages, async (search, { offset, limit }) => {
          const expected = log.filter((event) => matches(event, search));
          const query = { ...queryOf(search), offset, limit };
          const { json } = await server.admin.call('GET /api/admin/search/events', { query });
          expect(json.events).toMatchObject(expected.slice(offset, offset + limit).map(({ id }) => ({ id })));
          expect(json).toMatchObject({ total: expected.length, totalRelation: 'eq' });
        }),
        { numRuns: runs },
      );
    },
    timeout,
  );

  it(
    'shows a viewer exactly those of them that belong to a project',
    async () => {
      const viewer = server.client(await server.tokenOf('viewer'));
      await fc.assert(
        fc.asyncProperty(searches, async (search) => {
          const expected = log.filter((event) => event.project !== null && matches(event, search));
          const query = { ...queryOf(search), limit: 1000, to: `IS:${dayOf(Math.min(search.to ?? 39, 39))}` };
          const { json } = await viewer.call('GET /api/admin/search/events', { query });
          expect(json.events.map(({ id }: Seen) => id)).toEqual(expected.map(({ id }) => id));
          expect(json.total).toBe(expected.length);
        }),
        { numRuns: runs },
      );
    },
    timeout,
  );
});
