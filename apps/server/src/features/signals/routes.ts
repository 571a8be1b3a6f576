import type { signalRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import { jsonList } from '../../kernel/json-list.ts';
import type { Database } from '../../storage/database.ts';
import * as commands from './commands.ts';
import { deliveryKeyOf } from './deliveries.ts';
import type { SignalEndpoint } from './endpoint.ts';
import type { Ingest } from './ingest.ts';
import { presentAccepted, presentEndpoint, presentToken, receivedJson } from './present.ts';
import { countSignals, pagesOfSignals, type ReceivedSignal } from './queries.ts';
import { payloadOf } from './signal.ts';
import * as store from './store.ts';
import { storeTestSignal } from './store-signals.ts';

export interface SignalRoutesOptions {
  readonly database: Database;
  readonly ingest: Ingest;
  /** Called with the endpoints that received test signals, once the signals are durable. */
  readonly onTestStored: (endpointIds: readonly number[]) => void;
  readonly limits: commands.SignalLimits;
  /** The public address of the server, without a trailing slash. */
  readonly publicUrl: () => string;
}

export function signalHandlers({
  database,
  ingest,
  onTestStored,
  limits,
  publicUrl,
}: SignalRoutesOptions): Handlers<typeof signalRoutes> {
  const { db, write } = database;
  const present = async (endpoint: SignalEndpoint) =>
    presentEndpoint(endpoint, await store.listTokens(db, endpoint.id), publicUrl());
  return {
    'POST /api/signal-endpoint/:name': async ({ caller, body, request }) => {
      const accepted = await ingest.accept({
        ...caller,
        payload: payloadOf(body),
        deliveryKey: deliveryKeyOf(request),
      });
      return { status: 200, body: presentAccepted(accepted) };
    },
    'GET /api/admin/signal-endpoints': async () => {
      const [endpoints, tokens] = await Promise.all([store.listEndpoints(db), store.listTokens(db)]);
      return {
        status: 200,
        body: { signalEndpoints: endpoints.map((endpoint) => presentEndpoint(endpoint, tokens, publicUrl())) },
      };
    },
    'POST /api/admin/signal-endpoints': async ({ body, caller, request }) => {
      const endpoint = await write(authorOf(caller, request), (tx) => commands.createEndpoint(tx, limits, body));
      return { status: 201, body: await present(endpoint), headers: { location: `signal-endpoints/${endpoint.id}` } };
    },
    'PUT /api/admin/signal-endpoints/:id': async ({ params, body, caller, request }) => {
      const endpoint = await write(authorOf(caller, request), (tx) => commands.updateEndpoint(tx, params.id, body));
      return { status: 200, body: await present(endpoint) };
    },
    'DELETE /api/admin/signal-endpoints/:id': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteEndpoint(tx, params.id));
      return { status: 200 };
    },
    'POST /api/admin/signal-endpoints/:id/on': async ({ params, caller, request }) => {
      const endpoint = await write(authorOf(caller, request), (tx) =>
        commands.updateEndpoint(tx, params.id, { enabled: true }),
      );
      return { status: 200, body: await present(endpoint) };
    },
    'POST /api/admin/signal-endpoints/:id/off': async ({ params, caller, request }) => {
      const endpoint = await write(authorOf(caller, request), (tx) =>
        commands.updateEndpoint(tx, params.id, { enabled: false }),
      );
      return { status: 200, body: await present(endpoint) };
    },
    ...tokenHandlers(database, limits),
    'GET /api/admin/signal-endpoints/:signalEndpointId/signals': async ({ params, query }) => {
      const { signalEndpointId: endpointId } = params;
      await commands.requireEndpoint(db, endpointId);
      const filter = { endpointId, words: query.query, from: query.from, before: query.to };
      const pages = pagesOfSignals(db, filter, query.offset, query.limit);
      return { status: 200, body: jsonList({}, 'signalEndpointSignals', toJsonTexts(pages, 'endpoint', true)) };
    },
    'POST /api/admin/signal-endpoints/:signalEndpointId/signals': async ({ params, body, caller, request }) => {
      const payload = payloadOf(body.payload === undefined ? null : JSON.stringify(body.payload));
      const signal = await write(authorOf(caller, request), (tx) =>
        storeTestSignal(tx, params.signalEndpointId, payload, onTestStored),
      );
      return { status: 200, body: presentAccepted({ signal, duplicate: false }) };
    },
    'GET /api/admin/signals': async ({ query, caller }) => {
      const filter = { ids: query.id, from: query.from, before: query.to };
      const totals = await countSignals(db, filter);
      const pages = pagesOfSignals(db, filter, query.offset, query.limit);
      return { status: 200, body: jsonList(totals, 'signals', toJsonTexts(pages, 'all', caller.can('READ_SIGNALS'))) };
    },
  };
}

async function* toJsonTexts(
  pages: AsyncIterable<ReceivedSignal[]>,
  listedBy: 'endpoint' | 'all',
  withPayload: boolean,
): AsyncGenerator<string[]> {
  for await (const page of pages) yield page.map((signal) => receivedJson(signal, listedBy, withPayload));
}

type TokenRoute = Extract<keyof typeof signalRoutes, `${string}/:signalEndpointId/tokens${string}`>;

function tokenHandlers(
  { db, write }: Database,
  limits: commands.SignalLimits,
): Pick<Handlers<typeof signalRoutes>, TokenRoute> {
  return {
    'GET /api/admin/signal-endpoints/:signalEndpointId/tokens': async ({ params }) => {
      await commands.requireEndpoint(db, params.signalEndpointId);
      const tokens = await store.listTokens(db, params.signalEndpointId);
      return { status: 200, body: { signalEndpointTokens: tokens.map(presentToken) } };
    },
    'POST /api/admin/signal-endpoints/:signalEndpointId/tokens': async ({ params, body, caller, request }) => {
      const { token, secret } = await write(authorOf(caller, request), (tx) =>
        commands.createToken(tx, limits, params.signalEndpointId, body.name),
      );
      return {
        status: 201,
        body: { ...presentToken(token), token: secret },
        headers: { location: `tokens/${token.id}` },
      };
    },
    'PUT /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': async ({ params, body, caller, request }) => {
      const token = await write(authorOf(caller, request), (tx) =>
        commands.renameToken(tx, params.signalEndpointId, params.id, body.name),
      );
      return { status: 200, body: presentToken(token) };
    },
    'DELETE /api/admin/signal-endpoints/:signalEndpointId/tokens/:id': async ({ params, caller, request }) => {
      await write(authorOf(caller, request), (tx) => commands.deleteToken(tx, params.signalEndpointId, params.id));
      return { status: 200 };
    },
  };
}
