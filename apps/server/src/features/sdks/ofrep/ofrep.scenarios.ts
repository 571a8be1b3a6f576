import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { givenEnabled, givenFlag } from '#testing/flags.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const single = 'POST /ofrep/v1/evaluate/flags/:key';
const bulk = 'POST /ofrep/v1/evaluate/flags';

/** Adds a new token to a call. */
async function withToken(server: TestServer, call: Call, type: 'backend' | 'frontend' = 'backend'): Promise<Call> {
  return { ...call, headers: { authorization: (await givenToken(server, { type })).secret, ...call.headers } };
}

/** Adds a new token to an evaluation that is counted, and makes the application known first. */
async function withKnownApplication(
  server: TestServer,
  call: Call,
  type: 'backend' | 'frontend' = 'backend',
): Promise<Call> {
  const withAuthorization = await withToken(server, call, type);
  expect((await server.anonymous.call(single, withAuthorization)).status).toBe(200);
  await server.app.service.usage.flush();
  return withAuthorization;
}

const refusals = ([single, bulk] as const).flatMap((route): Scenario[] => {
  const call: Call = { params: { key: 'any' }, body: {} };
  const wrong: readonly [string, unknown, string][] = [
    ['a context that is text', { context: 'ann' }, 'context'],
    ['a targeting key that is a list', { context: { targetingKey: ['ann'] } }, 'context.userId'],
    ['an invalid time', { context: { currentTime: 'noon' } }, 'context.currentTime'],
    [
      'a context with too many fields',
      { context: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, 'x'])) },
      'context',
    ],
  ];
  return [
    {
      route,
      name: 'answers 401 without a token',
      as: 'anonymous',
      call,
      status: 401,
      answer: { errorCode: 'GENERAL' },
    },
    { route, name: 'answers 403 to an admin token', call, status: 403, answer: { errorCode: 'GENERAL' } },
    {
      route,
      name: 'answers 400 to a body that is not JSON',
      as: 'anonymous',
      given: (server) =>
        withToken(server, { params: { key: 'any' }, raw: '{', headers: { 'content-type': 'application/json' } }),
      status: 400,
      answer: { errorCode: expect.stringMatching(/^(PARSE_ERROR|INVALID_CONTEXT)$/) },
    },
    ...wrong.map(
      ([name, body, path]): Scenario => ({
        route,
        name: `answers 400 to ${name}`,
        as: 'anonymous',
        given: (server) => withToken(server, { params: { key: 'any' }, body }),
        status: 400,
        answer: { errorCode: 'INVALID_CONTEXT', errorDetails: expect.any(String), details: [{ path }] },
        check: ({ json }) => expect(json.key).toBe(route === single ? 'any' : undefined),
      }),
    ),
  ];
});

export const ofrepScenarios: readonly Scenario[] = [
  ...refusals,
  ...(['backend', 'frontend'] as const).map(
    (type): Scenario => ({
      route: single,
      name: `evaluates a flag with a ${type} token`,
      as: 'anonymous',
      given: async (server) => {
        const { featureName: key } = await givenEnabled(server);
        const context = { targetingKey: 'ann', roles: ['admin'], address: { city: 'Oslo' }, none: null };
        return withKnownApplication(server, { params: { key }, body: { context } }, type);
      },
      answer: {
        key: expect.any(String),
        reason: 'TARGETING_MATCH',
        value: true,
        metadata: { enabled: true, impressionData: false },
      },
    }),
  ),
  {
    route: single,
    name: 'returns the reason DISABLED for a flag that is off',
    as: 'anonymous',
    given: async (server) => {
      const { featureName: key } = await givenFlag(server);
      return withKnownApplication(server, { params: { key }, body: {} });
    },
    answer: { reason: 'DISABLED', value: false, metadata: { enabled: false } },
  },
  {
    route: single,
    name: 'stores a new application, after the answer',
    as: 'anonymous',
    given: async (server) => {
      const { featureName: key } = await givenFlag(server);
      return withToken(server, { params: { key }, body: { context: { appName: 'evaluates by OFREP' } } });
    },
    check: (_reply, server) => server.app.service.usage.flush(),
    events: [{ type: 'application-created', data: { appName: 'evaluates by OFREP', strategies: [] } }],
  },
  {
    route: single,
    name: 'answers 404 when the flag does not exist',
    as: 'anonymous',
    given: (server) => withToken(server, { params: { key: 'nothing' }, body: {} }),
    status: 404,
    answer: { key: 'nothing', errorCode: 'FLAG_NOT_FOUND', errorDetails: expect.stringContaining('nothing') },
  },
  {
    route: bulk,
    name: 'evaluates all flags, including those that are off',
    as: 'anonymous',
    given: async (server) => {
      await givenEnabled(server);
      await givenFlag(server);
      return withToken(server, { body: { context: { targetingKey: 'ann' } } }, 'frontend');
    },
    status: 200,
    check: ({ json, headers }) => {
      expect(new Set(json.flags.map(({ value }: { value: unknown }) => value))).toEqual(new Set([true, false]));
      expect(headers.get('etag')).toMatch(/^W\/"[\w-]{24}"$/);
    },
  },
];
