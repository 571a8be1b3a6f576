import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { freshName, givenEnabled, givenFlag } from '#testing/flags.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

/** Creates a token and returns a call that sends it; `body` as in {@link givenToken}. */
async function withToken(server: TestServer, body: object = {}): Promise<Call> {
  return { headers: { authorization: (await givenToken(server, body)).secret } };
}

const reading: readonly Scenario[] = [
  {
    route: 'GET /api/client/features',
    name: 'returns the flags of the token’s environment',
    as: 'anonymous',
    given: async (server) => {
      await givenEnabled(server);
      return withToken(server, { type: 'client' });
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
      expect(etag).toMatch(new RegExp(`^"${queryHash}:${revisionId}:v1:[0-9a-f]+"$`));
      expect(headers.get('vary')).toBe('accept-encoding');
    },
  },
  {
    route: 'GET /api/client/features',
    name: 'accepts a token without an authorization scheme, and lists segments separately for newer SDKs',
    as: 'anonymous',
    given: async (server) => {
      const { headers } = await withToken(server);
      return { headers: { ...headers, 'unleash-client-spec': '4.2.0' } };
    },
    status: 200,
    answer: { segments: [], query: { inlineSegmentConstraints: false } },
  },
  {
    route: 'GET /api/client/features',
    name: 'ignores a client specification that is not a version',
    as: 'anonymous',
    given: async (server) => ({ headers: { ...(await withToken(server)).headers, 'unleash-client-spec': 'v5' } }),
    status: 200,
    answer: { query: { inlineSegmentConstraints: true } },
  },
  {
    route: 'GET /api/client/delta',
    name: 'ignores a client specification that is not a version',
    as: 'anonymous',
    given: async (server) => ({ headers: { ...(await withToken(server)).headers, 'unleash-client-spec': 'v5' } }),
    status: 200,
    answer: { events: [{ type: 'hydration' }] },
  },
  {
    route: 'GET /api/client/delta',
    name: 'returns all flags at the first request',
    as: 'anonymous',
    given: async (server) => {
      await givenEnabled(server);
      return withToken(server);
    },
    status: 200,
    answer: { events: [{ type: 'hydration', eventId: expect.any(Number), segments: [] }] },
    check: ({ json, headers }) => {
      expect(json.events[0].features).not.toEqual([]);
      expect(headers.get('etag')).toMatch(new RegExp(`^"${json.events[0].eventId}:[0-9a-f]+"$`));
      expect(headers.get('vary')).toBe('accept-encoding');
    },
  },
  ...(['GET /api/client/features', 'GET /api/client/delta'] as const).flatMap((route) =>
    [
      { name: 'a tag without a type', query: { tag: 'blue' } },
      { name: 'an invalid project id', query: { project: 'a b' } },
    ].map(
      ({ name, query }): Scenario => ({
        route,
        name: `answers 400 to ${name}`,
        as: 'anonymous',
        given: async (server) => ({ query, ...(await withToken(server)) }),
        status: 400,
      }),
    ),
  ),
  {
    route: 'GET /api/client/features/:featureName',
    name: 'returns one flag',
    as: 'anonymous',
    given: async (server) => {
      const { featureName } = await givenFlag(server, { description: 'one', impressionData: true });
      return { ...(await withToken(server)), params: { featureName } };
    },
    answer: { description: 'one', impressionData: true, enabled: false, strategies: [], variants: [] },
  },
];

const reporting: readonly Scenario[] = [
  {
    route: 'POST /api/client/register',
    name: 'stores a new application, after the answer',
    as: 'anonymous',
    given: async (server) => ({
      headers: { ...(await withToken(server)).headers, 'unleash-interval': 'undefined' },
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
    check: async ({ headers, text }, server) => {
      expect(headers.get('x-unleash-version')).toMatch(/^\d+\.\d+\.\d+/);
      expect(text).toBe('');
      await server.app.service.usage.flush();
    },
    events: [
      {
        type: 'application-created',
        data: { appName: 'a new application', strategies: ['default', 'flexibleRollout'] },
      },
    ],
  },
  {
    route: 'POST /api/client/metrics',
    name: 'stores counts, and an application that never registered with its SDK version, after the answer',
    as: 'anonymous',
    given: async (server) => ({
      headers: { ...(await withToken(server)).headers, 'unleash-sdk': 'unleash-node-sdk:6.12.1' },
      body: {
        appName: 'only counts',
        bucket: { start: new Date(), stop: new Date(), toggles: { [freshName('counted')]: { yes: 1, no: 0 } } },
      },
    }),
    check: async (_reply, server) => {
      await server.app.service.usage.flush();
      const route = 'GET /api/admin/metrics/applications/:appName';
      const { json } = await server.admin.call(route, { params: { appName: 'only counts' } });
      expect(json.sdkVersion).toBe('unleash-node-sdk:6.12.1');
    },
    events: [{ type: 'application-created', data: { appName: 'only counts', strategies: [] } }],
  },
  ...[
    { name: 'a count below zero', toggle: { yes: -1, no: 0 } },
    { name: 'a count beyond 32 bits', toggle: { yes: 2 ** 31, no: 0 } },
    { name: 'a count that is a fraction', toggle: { yes: 0.5, no: 0 } },
    { name: 'a count that is not a number', toggle: { yes: 'many', no: 0 } },
    { name: 'a variant with U+0000', toggle: { yes: 0, no: 0, variants: { 'a\0': 1 } } },
    { name: 'a name beyond 255 characters', toggle: { yes: 0, no: 0, variants: { ['x'.repeat(256)]: 1 } } },
  ].map(
    ({ name, toggle }): Scenario => ({
      route: 'POST /api/client/metrics',
      name: `answers 400 to ${name}`,
      as: 'anonymous',
      given: async (server) => ({
        ...(await withToken(server)),
        body: { appName: 'refused', bucket: { start: 1, stop: 2, toggles: { flag: toggle } } },
      }),
      status: 400,
    }),
  ),
  ...refusedTo('anonymous', 'POST /api/client/metrics', 400, {
    'answers 400 to a bucket with more than 5000 flags': async (server) => ({
      ...(await withToken(server)),
      body: {
        appName: 'refused',
        bucket: { start: 1, stop: 2, toggles: Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [n, {}])) },
      },
    }),
  }),
];

const bulk: readonly Scenario[] = [
  {
    route: 'POST /api/client/metrics/bulk',
    name: 'stores applications and counts reported by a proxy, and ignores those of other environments',
    as: 'anonymous',
    given: async (server) => {
      const application = { instanceId: 'i', environment: 'development', strategies: ['x'], connectVia: [] };
      const count = { featureName: 'f', environment: 'development', timestamp: new Date(), yes: 1, no: 0 };
      return {
        ...(await withToken(server)),
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
    check: (_reply, server) => server.app.service.usage.flush(),
    events: [{ type: 'application-created', data: { appName: 'behind a proxy', strategies: ['x'] } }],
  },
  ...[
    { name: 'a count that is not a number', counts: { yes: 'many', no: 0 } },
    { name: 'a count beyond 32 bits', counts: { yes: 2 ** 31, no: 0 } },
    { name: 'a variant with U+0000', counts: { yes: 1, no: 0, variants: { 'a\0': 1 } } },
  ].map(
    ({ name, counts }): Scenario => ({
      route: 'POST /api/client/metrics/bulk',
      name: `answers 400 to ${name}, and stores nothing`,
      as: 'anonymous',
      given: async (server) => {
        const entry = { featureName: 'f', appName: 'refused', environment: 'development', timestamp: new Date() };
        const metrics = [
          { ...entry, yes: 1, no: 0 },
          { ...entry, ...counts },
        ];
        return { ...(await withToken(server)), body: { applications: [], metrics } };
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
  ...refusedTo('anonymous', 'POST /api/client/metrics/bulk', 413, {
    'answers 413 to a body over the size limit': async (server) => ({
      ...(await withToken(server)),
      body: { applications: [], metrics: [], more: 'x'.repeat(1_100_000) },
    }),
  }),
];

export const sdkScenarios: readonly Scenario[] = [...reading, ...reporting, ...bulk];
