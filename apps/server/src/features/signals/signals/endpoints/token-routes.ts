import type { signalRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import type { Database } from '#storage/database.ts';
import { presentToken } from './present-endpoint.ts';
import { requireEndpoint, type SignalLimits } from './require-endpoint.ts';
import { listTokens } from './store.ts';
import { createToken, deleteToken, updateToken } from './token-commands.ts';

type TokenRoute = Extract<keyof typeof signalRoutes, `${string}/:signalEndpointId/tokens${string}`>;

/** Builds the routes of the tokens of an endpoint. */
export function tokenHandlers(
  { db, write }: Database,
  limits: SignalLimits,
): Pick<Handlers<typeof signalRoutes>, TokenRoute> {
  return {
    'GET /api/admin/signal-endpoints/:signalEndpointId/tokens': async ({ params }) => {
      await requireEndpoint(db, params.signalEndpointId);
      const tokens = await listTokens(db, params.signalEndpointId);
      return { body: { signalEndpointTokens: tokens.map(presentToken) } };
    },
    'POST /api/admin/signal-endpoints/:signalEndpointId/tokens': async ({ params, body, author }) => {
      const { token, secret } = await write(author, (tx) => createToken(tx, limits, params.signalEndpointId, body));
      return {
        body: { ...presentToken(token), token: secret },
        headers: { location: `tokens/${token.id}` },
      };
    },
    'PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': async ({ params, body, author }) => {
      const token = await write(author, (tx) => updateToken(tx, params.signalEndpointId, params.id, body));
      return { body: presentToken(token) };
    },
    'DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': async ({ params, author }) =>
      write(author, (tx) => deleteToken(tx, params.signalEndpointId, params.id)),
  };
}
