import { refusedTo, type Scenario } from '#testing/scenario.ts';
import { givenEndpoint, givenToken } from '#testing/signals.ts';

/** Scenarios of the handshake in which a sender of CloudEvents asks whether it may send. */
export const handshakeScenarios: readonly Scenario[] = [
  {
    route: 'OPTIONS /api/signal-endpoint/:name',
    name: 'allows a sender of CloudEvents to send',
    as: 'anonymous',
    given: async (server) => {
      const { name, token } = await givenEndpoint(server);
      const headers = { authorization: `Bearer ${token}`, 'webhook-request-origin': 'eventgrid.azure.net' };
      return { params: { name }, headers };
    },
  },
  ...refusedTo('anonymous', 'OPTIONS /api/signal-endpoint/:name', 401, {
    'refuses a request without a token': { params: { name: 'any' } },
  }),
  {
    route: 'OPTIONS /api/signal-endpoint/:name/:secret',
    name: 'allows a sender with the token in the path',
    as: 'anonymous',
    given: async (server) => {
      const { id, name } = await givenEndpoint(server);
      const { secret } = await givenToken(server, id, 'in the path', { authentication: 'path' });
      return { params: { name, secret }, headers: { 'webhook-request-origin': 'eventgrid.azure.net' } };
    },
  },
  ...refusedTo('anonymous', 'OPTIONS /api/signal-endpoint/:name/:secret', 401, {
    'refuses an unknown token': { params: { name: 'any', secret: 'wrong' } },
  }),
];
