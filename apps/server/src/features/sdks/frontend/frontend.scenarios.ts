import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { freshName, givenEnabled, givenFlag } from '#testing/flags.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const get = 'GET /api/frontend';
const post = 'POST /api/frontend';
const metrics = 'POST /api/frontend/client/metrics';
const register = 'POST /api/frontend/client/register';

/** Adds a new frontend token to a call. */
async function withToken(server: TestServer, call: Call = {}, body: object = {}): Promise<Call> {
  const { secret } = await givenToken(server, { type: 'frontend', ...body });
  return { ...call, headers: { authorization: secret, ...call.headers } };
}

const wrongQueries: Readonly<Record<string, Record<string, string>>> = {
  'an invalid time': { currentTime: 'noon' },
  'U+0000': { userId: '\0' },
  'a property that is too long': { 'properties[plan]': 'x'.repeat(10_001) },
  'too many fields': Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`properties[${n}]`, 'x'])),
};

const wrongContexts: Readonly<Record<string, unknown>> = {
  'a field that is a list': { userId: ['a'] },
  'properties that are text': { properties: 'plan' },
  'a property that is an object': { properties: { plan: {} } },
  'an invalid time': { currentTime: 'noon' },
};

export const frontendScenarios: readonly Scenario[] = [
  {
    route: get,
    name: 'returns the flags that are on, and no others',
    as: 'anonymous',
    given: async (server) => {
      const { featureName } = await givenEnabled(server);
      await givenFlag(server);
      return withToken(server, { query: { userId: featureName } });
    },
    status: 200,
    check: ({ json, headers }) => {
      expect(json.toggles.at(-1)).toEqual({
        name: expect.any(String),
        enabled: true,
        variant: { name: 'disabled', enabled: false, feature_enabled: true, featureEnabled: true },
        impressionData: false,
      });
      expect(json.toggles.every(({ enabled }: { enabled: boolean }) => enabled)).toBe(true);
      expect(headers.get('cache-control')).toBe('no-cache');
      expect(headers.get('etag')).toMatch(/^W\/"[\w-]{24}"$/);
    },
  },
  ...Object.entries(wrongQueries).map(
    ([name, query]): Scenario => ({
      route: get,
      name: `answers 400 to ${name}`,
      as: 'anonymous',
      given: (server) => withToken(server, { query }),
      status: 400,
    }),
  ),
  {
    route: post,
    name: 'returns the flags that are on',
    as: 'anonymous',
    given: async (server) => {
      await givenEnabled(server);
      return withToken(server, { body: { context: { userId: 7, properties: { plan: 'pro', n: 1, x: null } } } });
    },
    status: 200,
    check: ({ json }) => expect(json.toggles).not.toEqual([]),
  },
  {
    route: post,
    name: 'treats a missing context as empty',
    as: 'anonymous',
    given: (server) => withToken(server, { body: {} }),
    status: 200,
  },
  ...Object.entries(wrongContexts).map(
    ([name, context]): Scenario => ({
      route: post,
      name: `answers 400 to ${name}`,
      as: 'anonymous',
      given: (server) => withToken(server, { body: { context } }),
      status: 400,
    }),
  ),
  {
    route: metrics,
    name: 'stores counts and a new application, after the answer',
    as: 'anonymous',
    given: (server) =>
      withToken(server, {
        headers: { 'unleash-sdk': 'unleash-js-sdk:3.8.2' },
        body: {
          appName: 'a page',
          instanceId: 'browser',
          bucket: {
            start: new Date(),
            stop: new Date(),
            toggles: { [freshName('counted')]: { yes: 1, no: 0, variants: {} } },
          },
        },
      }),
    check: async ({ text, headers }, server) => {
      expect(text).toBe('OK');
      expect(headers.get('content-type')).toMatch(/^text\/plain/);
      await server.app.service.usage.flush();
    },
    events: [{ type: 'application-created', data: { appName: 'a page', strategies: [] } }],
  },
  ...refusedTo('anonymous', metrics, 400, {
    'answers 400 to a count below zero': (server) =>
      withToken(server, { body: { appName: 'x', bucket: { start: 1, stop: 2, toggles: { f: { yes: -1 } } } } }),
  }),
  {
    route: register,
    name: 'stores nothing',
    as: 'anonymous',
    given: (server) =>
      withToken(server, { body: { appName: 'a new page', interval: 1, started: 1, strategies: ['default'] } }),
    check: async ({ text }, server) => {
      expect(text).toBe('OK');
      // Anything to be stored is written after the flush.
      await server.app.service.usage.flush();
    },
  },
];
