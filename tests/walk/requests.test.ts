import { aliases, type RouteKey, type RouteSpec, type routes, routesBySubject } from '@yardarm/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { statusesOf } from '../../apps/server/src/features/platform/system/openapi.ts';
import { arbitraryOf, printed } from '../../apps/server/testing/json-schema.ts';
import { mutationOf } from '../../apps/server/testing/mutation.ts';
import { eventsAfter } from '../../apps/server/testing/scenario.ts';
import { type Answer, type Known, World } from './world.ts';

// Sends requests generated from the contract's schemas to every route. Valid requests must not fail, invalid ones must
// be refused, and refusals must leave no trace. YARDARM_TEST_RUNS=1000 sends more requests.

const runs = Number(process.env.YARDARM_TEST_RUNS ?? 12);
const timeout = 20_000 + runs * 500;
// From the lowest subject up, because routes of higher subjects leave what those of lower ones would end.
const table = [...Object.values(routesBySubject).reverse(), aliases].flatMap(
  (specs) => Object.entries(specs) as [RouteKey & keyof typeof routes, RouteSpec][],
);

interface MadeRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** Words that name objects of every server or have a meaning in some route, and words that often break software. */
const words = [
  ...[
    'default',
    'development',
    'production',
    'admin',
    'viewer',
    '*',
    'name',
    'release',
    'backend',
    'frontend',
    'simple',
  ],
  ...['1', '2', '99999', 'IS:default', 'IS_ANY_OF:1,2', 'IS:2026-03-31', 'a@example.com', 'A-Good-Passw0rd', '/name'],
  ...[
    '',
    ' ',
    '\0',
    '\ud800',
    '__proto__',
    'constructor',
    "'",
    '"',
    '%',
    '%00',
    '../..',
    '<b>',
    '\u202e',
    'é',
    '🎉',
    '\n',
  ],
];

/** Returns a generator of valid and invalid values of a schema; of `none` without a schema. */
function valuesOf(schema: RouteSpec['body'], vocabulary: readonly string[], none: unknown): fc.Arbitrary<unknown> {
  if (schema === undefined) return fc.constant(none);
  const json = printed(schema);
  const valid = arbitraryOf(json, vocabulary);
  return fc.oneof(
    { weight: 2, arbitrary: valid },
    { weight: 1, arbitrary: valid.chain((value) => mutationOf(json, value)) },
  );
}

function requestsTo(spec: RouteSpec, known: Known): fc.Arbitrary<MadeRequest> {
  const vocabulary = [...words, ...Object.values(known)];
  const properties = printed(spec.params).properties ?? {};
  const params = fc.record(
    Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [
        name,
        fc.oneof(
          { weight: known[name] === undefined ? 0 : 6, arbitrary: fc.constant(known[name] ?? '') },
          { weight: 1, arbitrary: arbitraryOf(schema, vocabulary).map(inUrl) },
          { weight: 1, arbitrary: fc.constantFrom(...words).map(inUrl) },
        ),
      ]),
    ),
  );
  const query = valuesOf(spec.query, vocabulary, {}).map((made) =>
    Object.fromEntries(Object.entries(made ?? {}).map(([name, value]) => [name, inUrl(value)])),
  );
  return fc.record({ params, query, body: valuesOf(spec.body, vocabulary, undefined) }).map(withoutLongWait);
}

/** Returns the request with a long poll of at most a second: the test cannot wait for a minute each time. */
function withoutLongWait(made: MadeRequest): MadeRequest {
  const isLong = (wait: unknown) => Number(wait) > 1 && Number(wait) <= 60;
  const { query, body } = made;
  if (isLong(query.wait)) return { ...made, query: { ...query, wait: '1' } };
  if (isObject(body) && isLong(body.wait)) return { ...made, body: { ...body, wait: 1 } };
  return made;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a value as text for a URL. It is never empty, because that would make the URL of another route. */
function inUrl(value: unknown): string {
  return String(value).toWellFormed() || 'x';
}

/** Returns the same request with the names of existing objects in place of those that were changed or deleted since. */
function about(now: Known, then: Known, made: MadeRequest): MadeRequest {
  const renamed = new Map(Object.entries(then).map(([name, value]) => [value, now[name] ?? value]));
  const text = JSON.stringify(made, (_key, value) =>
    typeof value === 'string' ? (renamed.get(value) ?? value) : value,
  );
  return { body: undefined, ...JSON.parse(text) };
}

/** Returns whether the contract accepts the request, as far as a schema can tell. */
function isValid(spec: RouteSpec, { params, query, body }: MadeRequest): boolean {
  const parts = [
    [spec.params, params],
    [spec.query, query],
    [spec.body, body],
  ] as const;
  return parts.every(([schema, value]) => schema === undefined || schema.safeParse(value).success);
}

function pathOf(key: string, { params, query }: MadeRequest): string {
  const pattern = key.slice(key.indexOf(' ') + 1);
  const path = pattern.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? 'x'));
  const search = new URLSearchParams(query);
  return search.size === 0 ? path : `${path}?${search}`;
}

/** Events of open change requests and overrides of earlier routes, which a change of any route may record. */
const ofWhatIsOpen = new Set([
  'change-request-approved',
  'change-request-cancelled',
  'change-request-schedule-suspended',
  'feature-override-ended',
]);

/** Returns the types of the events after an id, without those that count what earlier requests did. */
async function recordedSince(server: World['server'], id: number): Promise<string[]> {
  if (server.app.database.feed.seen === id) return [];
  const types = (await eventsAfter(server, id)).map(({ type }) => type);
  return types.filter((type) => type !== 'change-refused' && type !== 'login-failed');
}

describe('every route, with generated requests', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.open();
  });
  afterAll(() => world.close());

  const enter = async (key: string, spec: RouteSpec) => {
    try {
      return await world.enter(key, spec);
    } catch {
      // Earlier routes have deleted objects that this route needs, so it gets a new server.
      await world.close();
      world = await World.open();
      return await world.enter(key, spec);
    }
  };

  it.each(table)(
    '%s',
    async (key, spec) => {
      const method = key.slice(0, key.indexOf(' '));
      const first = await enter(key, spec);
      let { headers, known } = first;
      // Compare only the log lines of this route: a failure must not make the next routes fail too.
      const { server } = world;
      const logged = server.logged.length;
      const ask = async (made: MadeRequest) => {
        const request = about(known, first.known, made);
        const path = pathOf(key, request);
        // Does not touch the token that the test itself uses.
        if (path.endsWith('/api-tokens/1')) return;
        const { feed } = world.server.app.database;
        const before = feed.seen;
        const json: Record<string, string> = spec.body === undefined ? {} : { 'content-type': 'application/json' };
        const answer = await world.send(method, path, { ...headers, ...json }, JSON.stringify(request.body));
        // Stores buffered data now. Otherwise it would be stored during the test of the next route.
        if (spec.emits.includes('application-created')) await world.server.app.service.usage.flush();
        expect(answer.status, answer.text).toBeLessThan(500);
        if (!isValid(spec, request)) expect(answer.status, answer.text).toBeGreaterThanOrEqual(400);
        if (answer.status >= 400) {
          expectRefusal(spec, answer);
          expect(await recordedSince(world.server, before)).toEqual([]);
          return;
        }
        expect(Object.keys(spec.answers)).toContain(String(answer.status));
        const recorded = await recordedSince(world.server, before);
        const own = recorded.filter((type) => !ofWhatIsOpen.has(type));
        expect(spec.emits).toEqual(expect.arrayContaining(own));
        if (recorded.length > 0) ({ headers, known } = await enter(key, spec));
      };
      await fc.assert(fc.asyncProperty(requestsTo(spec, known), ask), { numRuns: runs });
      const errors = (of: World['server'], from: number) =>
        of.logged.slice(from).filter((line) => JSON.parse(line).level >= 50);
      expect(errors(server, logged)).toEqual([]);
      if (world.server !== server) expect(errors(world.server, 0)).toEqual([]);
    },
    timeout,
  );
});

/**
 * Expects a refusal with a status that the contract names and an explanation, but without internals such as stack
 * traces.
 */
function expectRefusal(spec: RouteSpec, { status, type, text }: Answer): void {
  // Many requests in a moment can exceed a rate limit, and a query can exceed the size of headers.
  expect([...statusesOf(spec), 429, 431], text).toContain(status);
  expect(type).toMatch(/^application\/json/);
  const explained = { id: expect.any(String), name: expect.any(String), message: expect.any(String) };
  expect(JSON.parse(text)).toMatchObject(explained);
  expect(text).not.toMatch(/node_modules|\.ts:\d+|at async |SQLITE|syntax error at/);
}
