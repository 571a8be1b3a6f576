import { expect } from 'vitest';
import type { Call } from '../../../testing/client.ts';
import { givenEnabled, givenFlag } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';
import { givenToken } from '../../../testing/tokens.ts';

const single = 'POST /ofrep/v1/evaluate/flags/:key';
const bulk = 'POST /ofrep/v1/evaluate/flags';

/** A call with a token made for it. */
async function bearing(server: TestServer, call: Call, type: 'backend' | 'frontend' = 'backend'): Promise<Call> {
  return { ...call, headers: { authorization: (await givenToken(server, { type })).secret, ...call.headers } };
}

/** The same for an evaluation that is counted, by an application that is known before. */
async function counted(server: TestServer, call: Call, type: 'backend' | 'frontend' = 'backend'): Promise<Call> {
  const made = await bearing(server, call, type);
  expect((await server.nobody.call(single, made)).status).toBe(200);
  await server.app.service.usage.flush();
  return made;
}

const refusals = ([single, bulk] as const).flatMap((route): Scenario[] => {
  const call: Call = { params: { key: 'any' }, body: {} };
  const wrong: readonly [string, unknown, string][] = [
    ['a context that is text', { context: 'ann' }, 'context'],
    ['a targeting key that is a list', { context: { targetingKey: ['ann'] } }, 'context.userId'],
    ['a time that is none', { context: { currentTime: 'noon' } }, 'context.currentTime'],
    [
      'more fields than make sense',
      { context: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [n, 'x'])) },
      'context',
    ],
  ];
  return [
    { route, name: 'needs a token', as: 'nobody', call, status: 401, answer: { errorCode: 'GENERAL' } },
    { route, name: 'is closed to an admin token', call, status: 403, answer: { errorCode: 'GENERAL' } },
    {
      route,
      name: 'refuses a body that is no JSON',
      as: 'nobody',
      given: (server) =>
        bearing(server, { params: { key: 'any' }, raw: '{', headers: { 'content-type': 'application/json' } }),
      status: 400,
      answer: { errorCode: expect.stringMatching(/^(PARSE_ERROR|INVALID_CONTEXT)$/) },
    },
    ...wrong.map(
      ([name, body, path]): Scenario => ({
        route,
        name: `refuses ${name}`,
        as: 'nobody',
        given: (server) => bearing(server, { params: { key: 'any' }, body }),
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
      name: `evaluates a flag for the bearer of a ${type} token`,
      as: 'nobody',
      given: async (server) => {
        const { featureName: key } = await givenEnabled(server);
        const context = { targetingKey: 'ann', roles: ['admin'], address: { city: 'Oslo' }, none: null };
        return counted(server, { params: { key }, body: { context } }, type);
      },
      status: 200,
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
    name: 'says that a flag is off',
    as: 'nobody',
    given: async (server) => {
      const { featureName: key } = await givenFlag(server);
      return counted(server, { params: { key }, body: {} });
    },
    status: 200,
    answer: { reason: 'DISABLED', value: false, metadata: { enabled: false } },
  },
  {
    route: single,
    name: 'notes an application that is new, after the answer',
    as: 'nobody',
    given: async (server) => {
      const { featureName: key } = await givenFlag(server);
      return bearing(server, { params: { key }, body: { context: { appName: 'evaluates by OFREP' } } });
    },
    status: 200,
    check: (_reply, server) => server.app.service.usage.flush(),
    events: [{ type: 'application-created', data: { appName: 'evaluates by OFREP', strategies: [] } }],
  },
  {
    route: single,
    name: 'does not know a flag that is not there',
    as: 'nobody',
    given: (server) => bearing(server, { params: { key: 'nothing' }, body: {} }),
    status: 404,
    answer: { key: 'nothing', errorCode: 'FLAG_NOT_FOUND', errorDetails: expect.stringContaining('nothing') },
  },
  {
    route: bulk,
    name: 'evaluates all flags, those that are off too',
    as: 'nobody',
    given: async (server) => {
      await givenEnabled(server);
      await givenFlag(server);
      return bearing(server, { body: { context: { targetingKey: 'ann' } } }, 'frontend');
    },
    status: 200,
    check: ({ json, headers }) => {
      expect(new Set(json.flags.map(({ value }: { value: unknown }) => value))).toEqual(new Set([true, false]));
      expect(headers.get('etag')).toMatch(/^W\/"[\w-]{24}"$/);
    },
  },
];
