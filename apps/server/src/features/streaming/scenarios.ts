import { expect } from 'vitest';
import type { Call } from '../../../testing/client.ts';
import type { Scenario } from '../../../testing/scenario.ts';
import type { TestServer } from '../../../testing/server.ts';
import { givenToken } from '../../../testing/tokens.ts';

const route = 'GET /api/client/streaming';
const end = 'POST /api/admin/streaming/disconnect-all';

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
    name: 'refuses a client specification that is no version',
    as: 'nobody',
    given: async (server) => ({ headers: { ...(await bearing(server)).headers, 'unleash-client-spec': 'v5' } }),
    status: 400,
    answer: { name: 'BadDataError' },
  },
  {
    route,
    name: 'refuses a tag without a type',
    as: 'nobody',
    given: async (server) => ({ ...(await bearing(server)), query: { tag: 'blue' } }),
    status: 400,
    answer: { name: 'BadDataError' },
  },
  { route: end, name: 'ends all streams', status: 200, events: [{ type: 'streams-ended' }] },
  { route: end, name: 'is for administrators', as: 'editor', status: 403 },
];
