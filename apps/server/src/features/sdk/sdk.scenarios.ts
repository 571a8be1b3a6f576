import { expect } from 'vitest';
import type { Call } from '../../../testing/client.ts';
import { freshName, givenEnabled, givenFlag } from '../../../testing/flags.ts';
import { lastEventId, type Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';
import { givenToken } from '../../../testing/tokens.ts';

/** A call with a token made for it: `body` as in {@link givenToken}. */
async function bearing(server: TestServer, body: object = {}): Promise<Call> {
  return { headers: { authorization: (await givenToken(server, body)).secret } };
}

/** Waits for what is written after the answer, so that it does not come in the middle of another scenario. */
async function untilRecorded(server: TestServer, since: number): Promise<void> {
  await expect.poll(() => lastEventId(server), { timeout: 8000 }).toBeGreaterThan(since);
}

const refusals: readonly Scenario[] = (
  [
    ['GET /api/client/features', {}],
    ['GET /api/client/delta', {}],
    ['GET /api/client/features/:featureName', { params: { featureName: 'any' } }],
    ['POST /api/client/register', { body: { appName: 'x', interval: 1, started: 1, strategies: [] } }],
    ['POST /api/client/metrics', { body: { appName: 'x' } }],
    ['POST /api/client/metrics/bulk', { body: { applications: [], metrics: [] } }],
  ] as const
).flatMap(([route, call]): Scenario[] => [
  { route, name: 'needs a token', as: 'nobody', call, status: 401, answer: { name: 'UnauthorizedError' } },
  {
    route,
    name: 'does not know an unknown token',
    as: 'nobody',
    call: { ...call, headers: { authorization: 'Bearer default:development.unknown' } },
    status: 401,
    answer: { name: 'UnauthorizedError' },
  },
  { route, name: 'is closed to an admin token', call, status: 403, answer: { name: 'ForbiddenError' } },
  {
    route,
    name: 'is closed to a personal token',
    as: 'nobody',
    call: { ...call, headers: { authorization: 'user:0123456789' } },
    status: 403,
  },
  {
    route,
    name: 'is closed to a frontend token',
    as: 'nobody',
    given: async (server) => ({ ...call, ...(await bearing(server, { type: 'frontend' })) }),
    status: 403,
  },
]);

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/client/features',
    name: 'answers the flags of the environment of the token',
    as: 'nobody',
    given: async (server) => {
      await givenEnabled(server);
      return bearing(server, { type: 'client' });
    },
    status: 200,
    answer: { version: 2, query: { environment: 'development', inlineSegmentConstraints: true } },
    check: ({ json, headers }) => {
      expect(json).not.toHaveProperty('segments');
      expect(json.features.find(({ enabled }: { enabled: boolean }) => enabled)).toEqual({
        name: expect.any(String),
        type: 'release',
        description: null,
        project: 'default',
        stale: false,
        enabled: true,
        impressionData: false,
        strategies: [
          { name: 'flexibleRollout', constraints: [], parameters: expect.objectContaining({}), variants: [] },
        ],
        variants: [],
      });
      const { revisionId, etag, queryHash } = json.meta;
      expect(headers.get('etag')).toBe(etag);
      expect(etag).toBe(`"${queryHash}:${revisionId}:v1"`);
      expect(headers.get('vary')).toBe('accept-encoding');
    },
  },
  {
    route: 'GET /api/client/features',
    name: 'takes a token without a scheme, and gives segments apart to SDKs that know them',
    as: 'nobody',
    given: async (server) => {
      const { headers } = await bearing(server);
      return { headers: { ...headers, 'unleash-client-spec': '4.2.0' } };
    },
    status: 200,
    answer: { segments: [], query: { inlineSegmentConstraints: false } },
  },
  {
    route: 'GET /api/client/features',
    name: 'ignores a client specification that is no version',
    as: 'nobody',
    given: async (server) => ({ headers: { ...(await bearing(server)).headers, 'unleash-client-spec': 'v5' } }),
    status: 200,
    answer: { query: { inlineSegmentConstraints: true } },
  },
  {
    route: 'GET /api/client/delta',
    name: 'ignores a client specification that is no version',
    as: 'nobody',
    given: async (server) => ({ headers: { ...(await bearing(server)).headers, 'unleash-client-spec': 'v5' } }),
    status: 200,
    answer: { events: [{ type: 'hydration' }] },
  },
  {
    route: 'GET /api/client/delta',
    name: 'answers all flags to who begins',
    as: 'nobody',
    given: async (server) => {
      await givenEnabled(server);
      return bearing(server);
    },
    status: 200,
    answer: { events: [{ type: 'hydration', eventId: expect.any(Number), segments: [] }] },
    check: ({ json, headers }) => {
      expect(json.events[0].features).not.toEqual([]);
      expect(headers.get('etag')).toBe(`"${json.events[0].eventId}"`);
      expect(headers.get('vary')).toBe('accept-encoding');
    },
  },
  ...(['GET /api/client/features', 'GET /api/client/delta'] as const).flatMap((route) =>
    [
      { name: 'a tag without a type', query: { tag: 'blue' } },
      { name: 'a project that cannot be one', query: { project: 'a b' } },
      { name: 'a prefix beyond all names', query: { namePrefix: 'x'.repeat(300) } },
    ].map(
      ({ name, query }): Scenario => ({
        route,
        name: `refuses ${name}`,
        as: 'nobody',
        given: async (server) => ({ query, ...(await bearing(server)) }),
        status: 400,
        answer: { name: 'BadDataError' },
      }),
    ),
  ),
  {
    route: 'GET /api/client/features/:featureName',
    name: 'answers one flag',
    as: 'nobody',
    given: async (server) => {
      const { featureName } = await givenFlag(server, { description: 'one', impressionData: true });
      return { ...(await bearing(server)), params: { featureName } };
    },
    status: 200,
    answer: { description: 'one', impressionData: true, enabled: false, strategies: [], variants: [] },
  },
  {
    route: 'GET /api/client/features/:featureName',
    name: 'does not know a flag that is not there',
    as: 'nobody',
    given: async (server) => ({ ...(await bearing(server)), params: { featureName: 'nothing' } }),
    status: 404,
  },
];

const reporting: readonly Scenario[] = [
  {
    route: 'POST /api/client/register',
    name: 'notes an application that is new, after the answer',
    as: 'nobody',
    given: async (server) => ({
      headers: { ...(await bearing(server)).headers, 'unleash-interval': 'undefined' },
      body: {
        appName: 'a new application',
        instanceId: 'one',
        sdkVersion: 'unleash-client-node:6',
        strategies: ['default', 'flexibleRollout', 'default'],
        started: new Date(),
        interval: 15_000,
        yggdrasilVersion: null,
      },
    }),
    status: 202,
    check: async ({ headers, text }, server) => {
      expect(headers.get('x-unleash-version')).toMatch(/^\d+\.\d+\.\d+/);
      expect(text).toBe('');
      await untilRecorded(server, await lastEventId(server));
    },
    events: [
      {
        type: 'application-created',
        data: { appName: 'a new application', strategies: ['default', 'flexibleRollout'] },
      },
    ],
  },
  {
    route: 'POST /api/client/register',
    name: 'refuses an application without a name',
    as: 'nobody',
    given: async (server) => ({ ...(await bearing(server)), body: { appName: '', strategies: [] } }),
    status: 400,
  },
  {
    route: 'POST /api/client/metrics',
    name: 'counts, and notes an application that never registered and what it runs, after the answer',
    as: 'nobody',
    given: async (server) => ({
      headers: { ...(await bearing(server)).headers, 'unleash-sdk': 'unleash-node-sdk:6.12.1' },
      body: {
        appName: 'only counts',
        bucket: { start: new Date(), stop: new Date(), toggles: { [freshName('counted')]: { yes: 1, no: 0 } } },
      },
    }),
    status: 202,
    check: async (_reply, server) => {
      await untilRecorded(server, await lastEventId(server));
      const route = 'GET /api/admin/metrics/applications/:appName';
      const { json } = await server.admin.call(route, { params: { appName: 'only counts' } });
      expect(json.sdkVersion).toBe('unleash-node-sdk:6.12.1');
    },
    events: [{ type: 'application-created', data: { appName: 'only counts', strategies: [] } }],
  },
  ...[
    { name: 'a count below zero', toggle: { yes: -1, no: 0 } },
    { name: 'a count beyond 32 bits', toggle: { yes: 2 ** 31, no: 0 } },
    { name: 'half a count', toggle: { yes: 0.5, no: 0 } },
    { name: 'a count that is no number', toggle: { yes: 'many', no: 0 } },
    { name: 'a variant with U+0000', toggle: { yes: 0, no: 0, variants: { 'a\0': 1 } } },
    { name: 'a name beyond 255 characters', toggle: { yes: 0, no: 0, variants: { ['x'.repeat(256)]: 1 } } },
  ].map(
    ({ name, toggle }): Scenario => ({
      route: 'POST /api/client/metrics',
      name: `refuses ${name}`,
      as: 'nobody',
      given: async (server) => ({
        ...(await bearing(server)),
        body: { appName: 'refused', bucket: { start: 1, stop: 2, toggles: { flag: toggle } } },
      }),
      status: 400,
      answer: { name: 'BadDataError' },
    }),
  ),
  {
    route: 'POST /api/client/metrics',
    name: 'refuses more flags in a bucket than any application has',
    as: 'nobody',
    given: async (server) => ({
      ...(await bearing(server)),
      body: {
        appName: 'refused',
        bucket: { start: 1, stop: 2, toggles: Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [n, {}])) },
      },
    }),
    status: 400,
  },
];

const bulk: readonly Scenario[] = [
  {
    route: 'POST /api/client/metrics/bulk',
    name: 'notes applications and counts behind a proxy, and leaves out those of other environments',
    as: 'nobody',
    given: async (server) => {
      const application = { instanceId: 'i', environment: 'development', strategies: ['x'], connectVia: [] };
      const count = { featureName: 'f', environment: 'development', timestamp: new Date(), yes: 1, no: 0 };
      return {
        ...(await bearing(server)),
        body: {
          applications: [
            { ...application, appName: 'behind a proxy', sdkType: 'frontend' },
            { ...application, appName: 'elsewhere', environment: 'production' },
          ],
          metrics: [
            { ...count, appName: 'behind a proxy', variants: { v: 1 } },
            { ...count, appName: 'elsewhere', environment: 'production' },
          ],
        },
      };
    },
    status: 202,
    check: async (_reply, server) => untilRecorded(server, await lastEventId(server)),
    events: [{ type: 'application-created', data: { appName: 'behind a proxy', strategies: ['x'] } }],
  },
  ...[
    { name: 'a count that is no number', counts: { yes: 'many', no: 0 } },
    { name: 'a count beyond 32 bits', counts: { yes: 2 ** 31, no: 0 } },
    { name: 'a variant with U+0000', counts: { yes: 1, no: 0, variants: { 'a\0': 1 } } },
  ].map(
    ({ name, counts }): Scenario => ({
      route: 'POST /api/client/metrics/bulk',
      name: `refuses the whole for ${name}, and notes nothing`,
      as: 'nobody',
      given: async (server) => {
        const entry = { featureName: 'f', appName: 'refused', environment: 'development', timestamp: new Date() };
        const metrics = [
          { ...entry, yes: 1, no: 0 },
          { ...entry, ...counts },
        ];
        return { ...(await bearing(server)), body: { applications: [], metrics } };
      },
      status: 400,
      check: async ({ json }, server) => {
        expect(json.details[0].path).toMatch(/^metrics[.]1[.]/);
        await server.app.service.usage.flush();
        const params = { appName: 'refused' };
        expect((await server.admin.call('GET /api/admin/metrics/applications/:appName', { params })).status).toBe(404);
      },
    }),
  ),
  {
    route: 'POST /api/client/metrics/bulk',
    name: 'refuses a body beyond the limit',
    as: 'nobody',
    given: async (server) => ({
      ...(await bearing(server)),
      body: { applications: [], metrics: [], more: 'x'.repeat(110_000) },
    }),
    status: 413,
  },
];

export const sdkScenarios: readonly Scenario[] = [...refusals, ...reading, ...reporting, ...bulk];
