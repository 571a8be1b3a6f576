import type { signalRoutes } from '@yardarm/contract';
import {
  normalizedText,
  type SignalSource,
  type SubscriptionMessage,
  sourceOf,
} from '#features/signals/signal-sources/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { RequestInfo } from '#http/request.ts';
import type { SignalCaller, SignalSender } from '#http/signal-caller.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import { jsonList } from '#kernel/json-list.ts';
import type { Database } from '#storage/database.ts';
import type { Tx } from '#storage/tx.ts';
import * as commands from './commands.ts';
import {
  type EndpointLimits,
  listEndpoints,
  listTokens,
  noteSubscription,
  presentEndpoint,
  requireEndpoint,
  type SignalEndpoint,
  type SignalLimits,
  tokenHandlers,
} from './endpoints/index.ts';
import {
  countSignals,
  deliveryKeysOf,
  findDigests,
  type IncomingSignal,
  listRefusals,
  pagesOfSignals,
  presentAccepted,
  presentAnswer,
  presentDeleted,
  presentRefusal,
  type ReceivedSignal,
  type Refusals,
  receivedJson,
} from './log/index.ts';
import {
  type Ingest,
  inflatedBody,
  parsePayload,
  payloadsOfBody,
  redacted,
  storeTestSignal,
} from './receiving/index.ts';
import type { OnStored } from './silence/index.ts';

export interface SignalRoutesOptions {
  readonly database: Database;
  readonly ingest: Ingest;
  /** Called with the endpoints that have new signals of tests or silences, once the signals are durable. */
  readonly onOwnStored: OnStored;
  /** Called when a sender has asked to confirm a subscription, or has ended one. */
  readonly onSubscription: () => void;
  readonly limits: SignalLimits;
  /** The limits of endpoints whose owner set none. */
  readonly endpointLimits: EndpointLimits;
  readonly refusals: Refusals;
  /** The public address of the server, without a trailing slash. */
  readonly publicUrl: () => string;
}

export function signalHandlers({
  database,
  ingest,
  onOwnStored,
  onSubscription,
  limits,
  endpointLimits,
  refusals,
  publicUrl,
}: SignalRoutesOptions): Handlers<typeof signalRoutes> {
  const { db, write } = database;
  const present = async (endpoint: SignalEndpoint) =>
    presentEndpoint(endpoint, await listTokens(db, endpoint.id), endpointLimits, publicUrl());
  return {
    ...sendingHandlers(acceptInto(ingest, database, onSubscription)),
    'GET /api/admin/signal-endpoints': async () => {
      const [endpoints, tokens] = await Promise.all([listEndpoints(db), listTokens(db)]);
      return {
        body: {
          signalEndpoints: endpoints.map((endpoint) => presentEndpoint(endpoint, tokens, endpointLimits, publicUrl())),
        },
      };
    },
    'POST /api/admin/signal-endpoints': async ({ body, author }) => {
      const endpoint = await write(author, (tx) => commands.createEndpoint(tx, limits, body));
      return { body: await present(endpoint), headers: { location: `signal-endpoints/${endpoint.id}` } };
    },
    'PUT /api/admin/signal-endpoints/:id': async ({ params, body, author }) => {
      const endpoint = await write(author, (tx) => commands.updateEndpoint(tx, limits, params.id, body, onOwnStored));
      return { body: await present(endpoint) };
    },
    'DELETE /api/admin/signal-endpoints/:id': async ({ params, author }) =>
      write(author, (tx) => commands.deleteEndpoint(tx, params.id)),
    'POST /api/admin/signal-endpoints/:id/on': async ({ params, author }) => {
      const endpoint = await write(author, (tx) =>
        commands.updateEndpoint(tx, limits, params.id, { enabled: true }, onOwnStored),
      );
      return { body: await present(endpoint) };
    },
    'POST /api/admin/signal-endpoints/:id/off': async ({ params, author }) => {
      const endpoint = await write(author, (tx) =>
        commands.updateEndpoint(tx, limits, params.id, { enabled: false }, onOwnStored),
      );
      return { body: await present(endpoint) };
    },
    'GET /api/admin/signal-endpoints/:id/refusals': async ({ params }) => {
      await requireEndpoint(db, params.id);
      await refusals.flush();
      return { body: { refusals: (await listRefusals(db, params.id)).map(presentRefusal) } };
    },
    ...tokenHandlers(database, limits),
    'GET /api/admin/signal-endpoints/:signalEndpointId/signals': async ({ params, query }) => {
      const { signalEndpointId: endpointId } = params;
      await requireEndpoint(db, endpointId);
      const filter = { endpointId, words: query.query, from: query.from, before: query.to };
      const pages = pagesOfSignals(db, filter, query.offset, query.limit);
      return { body: jsonList({}, 'signalEndpointSignals', toJsonTexts(pages, 'endpoint', true)) };
    },
    'POST /api/admin/signal-endpoints/:signalEndpointId/signals': async ({ params, body, author }) => {
      const payload = parsePayload(body.payload === undefined ? '' : JSON.stringify(body.payload));
      const signal = await write(author, (tx) => storeTestSignal(tx, params.signalEndpointId, payload, onOwnStored));
      return { body: presentAccepted([{ signal, duplicate: false }]) };
    },
    'GET /api/admin/signals': async ({ query, caller }) => {
      const filter = { ids: query.id, from: query.from, before: query.to };
      const counted = await countSignals(db, filter);
      const deleted = query.id && [...(await findDigests(db, query.id)).values()].map(presentDeleted);
      const totals = deleted === undefined ? counted : { ...counted, deleted };
      const pages = pagesOfSignals(db, filter, query.offset, query.limit);
      return { body: jsonList(totals, 'signals', toJsonTexts(pages, 'all', caller.can('READ_SIGNALS'))) };
    },
  };
}

/** Returns the handlers of the routes that senders call. */
function sendingHandlers(accept: ReturnType<typeof acceptInto>) {
  return {
    'POST /api/signal-endpoint/:name': accept,
    'PUT /api/signal-endpoint/:name': accept,
    'POST /api/signal-endpoint/:name/:secret': accept,
    'OPTIONS /api/signal-endpoint/:name': consent,
    'OPTIONS /api/signal-endpoint/:name/:secret': consent,
  } as const;
}

/**
 * Answers the handshake in which a sender of CloudEvents asks whether it may send (HTTP 1.1 Web Hooks for Event
 * Delivery, 4). Rejects with 401 without a token of the endpoint, so that nobody else can direct events to it.
 */
async function consent({ caller, request }: Pick<ReceivedRequest, 'caller' | 'request'>) {
  await caller.identify(Buffer.alloc(0));
  const origin = request.header('webhook-request-origin');
  if (origin === undefined || origin === '')
    throw new Problem('BadDataError', 'The header WebHook-Request-Origin is missing: it must name who asks to send.');
  const headers = { allow: 'POST, PUT', 'webhook-allowed-origin': origin, 'webhook-allowed-rate': '*' };
  return { headers };
}

const senderAuthor: Author = { actor: systemActor, cause: {} };

/**
 * Stores that a sender asks to confirm a subscription, or has ended one. Rejects with 400 when the message names no
 * address of the sender.
 */
async function takeSubscription(
  tx: Tx,
  endpointId: number,
  { kind, topic, confirmUrl }: SubscriptionMessage,
): Promise<void> {
  if (confirmUrl === undefined)
    throw new Problem('BadDataError', 'The message must name a topic, and an address of its sender that confirms it.');
  await noteSubscription(tx, endpointId, { topic, confirmUrl, state: kind === 'requested' ? 'pending' : 'ended' });
}

interface ReceivedRequest {
  readonly caller: SignalCaller;
  readonly body: Buffer;
  readonly request: RequestInfo;
}

/** Returns the handler that stores the signals of senders. */
function acceptInto(ingest: Ingest, { writeQuietly }: Pick<Database, 'writeQuietly'>, onSubscription: () => void) {
  return async ({ caller, body, request }: ReceivedRequest) => {
    const sender = await caller.identify(body);
    const source = sourceOf(sender);
    const inflated = await inflatedBody(body, request, source, sender.maxBodyBytes);
    const { message, incoming } = contentOf(inflated, request, source, sender);
    if (message !== undefined) {
      await writeQuietly('signal ingest', senderAuthor, (tx) => takeSubscription(tx, sender.endpointId, message));
      onSubscription();
    }
    const accepted = incoming.length === 0 ? [] : await ingest.accept(incoming);
    return { body: presentAnswer(source, accepted) };
  };
}

interface Content {
  readonly message?: SubscriptionMessage;
  readonly incoming: readonly IncomingSignal[];
}

/**
 * Returns the content of a body: its signals, or a message about a subscription. A separate function, so that the
 * parsed payloads can be freed before the signals are stored: the garbage collector copies objects that live longer.
 */
function contentOf(
  body: Buffer,
  request: RequestInfo,
  source: SignalSource,
  { endpointId, tokenId, signature, redaction, sender }: SignalSender,
): Content {
  const { payloads, isBatch } = payloadsOfBody(body, request, source);
  const message = source.subscription?.(payloads[0]?.value);
  if (message !== undefined) return { message, incoming: [] };
  if (source.isCheck?.(payloads[0]?.value) === true) return { incoming: [] };
  // Headers belong to the whole request, so they cannot identify the single events of a batch.
  const header = (headerName: string) => (isBatch ? undefined : request.header(headerName));
  const incoming = payloads.map((payload) => {
    const { text, value } = redacted(payload, redaction);
    const normalized = normalizedText(source, value, header, sender);
    const delivery = deliveryKeysOf({ header, payload: value, text }, source, { tokenId, signature });
    return { endpointId, tokenId, payload: text, normalized, delivery };
  });
  return { incoming };
}

async function* toJsonTexts(
  pages: AsyncIterable<ReceivedSignal[]>,
  listedBy: 'endpoint' | 'all',
  withPayload: boolean,
): AsyncGenerator<string[]> {
  for await (const page of pages) yield page.map((signal) => receivedJson(signal, listedBy, withPayload));
}
