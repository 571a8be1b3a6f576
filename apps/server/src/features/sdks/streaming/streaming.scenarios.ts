import { expect } from 'vitest';
import type { Call } from '#testing/client.ts';
import { type FlagEnvironmentParams, givenFlagIn, switchFlag } from '#testing/flags.ts';
import { refusedTo, type Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenToken } from '#testing/tokens.ts';

const route = 'GET /api/client/streaming';
const ofrepStream = 'GET /ofrep/v1/event-stream';
const disconnectAll = 'POST /api/admin/streaming/disconnect-all';

async function switchOn(server: TestServer, params: FlagEnvironmentParams): Promise<void> {
  await switchFlag(server, params, 'on');
}

async function withToken(server: TestServer, body: object = {}): Promise<Call> {
  return { headers: { authorization: (await givenToken(server, body)).secret } };
}

export const streamingScenarios: readonly Scenario[] = [
  {
    route,
    name: 'sends all flags in the first message',
    as: 'anonymous',
    given: (server) => withToken(server),
    check: ({ text }) =>
      expect(text).toMatch(/^id: \d+:[0-9a-f]+\nevent: unleash-connected\ndata: \{"events":\[\{"type":"hydr/),
  },
  {
    route,
    name: 'ignores a client specification that is not a version',
    as: 'anonymous',
    given: async (server) => ({ headers: { ...(await withToken(server)).headers, 'unleash-client-spec': 'v5' } }),
  },
  ...refusedTo('anonymous', route, 400, {
    'answers 400 to a tag without a type': async (server) => ({ ...(await withToken(server)), query: { tag: 'blue' } }),
  }),
  {
    route: ofrepStream,
    name: 'accepts the stream token from an evaluation',
    as: 'anonymous',
    given: async (server) => {
      const { secret } = await givenToken(server, { type: 'frontend' });
      const { json } = await server.client(secret).call('POST /ofrep/v1/evaluate/flags', { body: {} });
      const flag = await givenFlagIn(server);
      await switchOn(server, flag);
      const token = json.eventStreams[0].endpoint.requestUri.split('token=')[1];
      // A reader that missed a change gets a message at once, so the stream has a first message.
      return { query: { token }, headers: { 'last-event-id': '1' } };
    },
    check: ({ text }) =>
      expect(text).toMatch(
        /^id: (\d+:[0-9a-f]+)\nevent: message\ndata: \{"type":"refetchEvaluation","etag":"\\"\1\\""/,
      ),
  },
  {
    route: ofrepStream,
    name: 'answers 401 without a stream token',
    as: 'anonymous',
    status: 401,
    answer: { errorCode: 'GENERAL' },
  },
  {
    route: ofrepStream,
    name: 'answers 401 to an API token in the URL',
    as: 'anonymous',
    given: async (server) => ({ query: { token: (await givenToken(server)).secret } }),
    status: 401,
    answer: { errorCode: 'GENERAL' },
  },
  { route: disconnectAll, name: 'ends all streams', events: [{ type: 'streams-ended' }] },
];
