import { expect } from 'vitest';
import type { Call } from '../../../testing/client.ts';
import { type FlagEnvironmentParams, givenFlagIn } from '../../../testing/flags.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';
import { givenToken } from '../../../testing/tokens.ts';

const route = 'GET /api/client/streaming';
const notices = 'GET /ofrep/v1/event-stream';
const end = 'POST /api/admin/streaming/disconnect-all';

async function switchOn(server: TestServer, params: FlagEnvironmentParams): Promise<void> {
  await server.admin.call(`POST /api/admin/projects/:projectId/features/:featureName/environments/:environment/on`, {
    params,
  });
}

async function bearing(server: TestServer, body: object = {}): Promise<Call> {
  return { headers: { authorization: (await givenToken(server, body)).secret } };
}

export const streamingScenarios: readonly Scenario[] = [
  {
    route,
    name: 'begins with a message that holds all flags',
    as: 'nobody',
    given: (server) => bearing(server),
    status: 200,
    check: ({ text }) => expect(text).toMatch(/^id: \d+\nevent: unleash-connected\ndata: \{"events":\[\{"type":"hydr/),
  },
  { route, name: 'needs a token', as: 'nobody', status: 401, answer: { name: 'UnauthorizedError' } },
  { route, name: 'is closed to an admin token', status: 403, answer: { name: 'ForbiddenError' } },
  {
    route,
    name: 'is closed to a frontend token',
    as: 'nobody',
    given: (server) => bearing(server, { type: 'frontend' }),
    status: 403,
  },
  {
    route,
    name: 'ignores a client specification that is no version',
    as: 'nobody',
    given: async (server) => ({ headers: { ...(await bearing(server)).headers, 'unleash-client-spec': 'v5' } }),
    status: 200,
  },
  {
    route,
    name: 'refuses a tag without a type',
    as: 'nobody',
    given: async (server) => ({ ...(await bearing(server)), query: { tag: 'blue' } }),
    status: 400,
    answer: { name: 'BadDataError' },
  },
  {
    route: notices,
    name: 'is opened by the token in the URL that an evaluation names',
    as: 'nobody',
    given: async (server) => {
      const { secret } = await givenToken(server, { type: 'frontend' });
      const { json } = await server.client(secret).call('POST /ofrep/v1/evaluate/flags', { body: {} });
      const flag = await givenFlagIn(server);
      await switchOn(server, flag);
      const token = json.eventStreams[0].endpoint.requestUri.split('token=')[1];
      // Who missed something is told at once, so there is a first message.
      return { query: { token }, headers: { 'last-event-id': '1' } };
    },
    status: 200,
    check: ({ text }) =>
      expect(text).toMatch(/^id: (\d+)\nevent: message\ndata: \{"type":"refetchEvaluation","etag":"\\"\1\\""/),
  },
  { route: notices, name: 'needs a token in its URL', as: 'nobody', status: 401, answer: { errorCode: 'GENERAL' } },
  {
    route: notices,
    name: 'is closed to a token that was not made for it',
    as: 'nobody',
    given: async (server) => ({ query: { token: (await givenToken(server)).secret } }),
    status: 401,
    answer: { errorCode: 'GENERAL' },
  },
  { route: end, name: 'ends all streams', status: 200, events: [{ type: 'streams-ended' }] },
  { route: end, name: 'is for administrators', as: 'editor', status: 403 },
];
