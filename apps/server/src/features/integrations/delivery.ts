import type { Clock } from '../../kernel/clock.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import type { Db } from '../../storage/tx.ts';
import {
  type Delivery,
  type IntegrationKind,
  type Prepared,
  type SigningKey,
  signedHeaders,
} from '../deliveries/index.ts';
import type { Mailer } from '../email/index.ts';
import { type OutboundRequest, overrideHeaders } from '../outbound/index.ts';
import type { FanOut } from './fan-out.ts';
import type { Integration } from './integration.ts';
import { requireSink, type SinkContext } from './sinks/index.ts';
import * as store from './store.ts';
import { saveThread, type Thread, threadOf } from './threads/index.ts';

/** Sends events to integrations through the outbox. */
export function integrationDeliveries(
  fanOut: FanOut,
  clock: Clock,
  baseUrl: () => string,
  mailer: Mailer | undefined,
): IntegrationKind {
  return {
    fanOut: () => fanOut.run(),
    receivers: () => fanOut.receivers(),
    prepare: (db, deliveries) => prepare(db, clock.now(), { baseUrl: baseUrl(), mailer }, deliveries),
  };
}

async function prepare(
  db: Db,
  now: number,
  context: Pick<SinkContext, 'baseUrl' | 'mailer'>,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<number, Prepared>> {
  const ids = deliveries.map(({ integrationId }) => integrationId ?? 0);
  const integrations = new Map((await store.listIntegrations(db)).map((integration) => [integration.id, integration]));
  const keys = await store.signingKeysOf(db, ids);
  const events = await store.eventsById(
    db,
    deliveries.map(({ eventId }) => eventId ?? 0),
  );
  const prepared = new Map<number, Prepared>();
  for (const { id, integrationId, eventId, messageId } of deliveries) {
    const integration = integrations.get(integrationId ?? 0);
    // Read again, because another process may have disabled it.
    if (integration?.enabled !== true) continue;
    const event = events.get(eventId ?? 0);
    if (event === undefined) prepared.set(id, { refused: 'The event was deleted before it was sent.' });
    else {
      const thread = requireSink(integration.provider).threads ? await threadOf(db, integration, event) : undefined;
      const signing = { keys: keys.get(integration.id) ?? [], messageId, now, ...context, thread };
      prepared.set(id, withThread(signedRequest(integration, event, signing), integration.id, event, thread));
    }
  }
  return prepared;
}

/** Returns the message with a function that stores the result of its attempt in the thread of the event. */
function withThread(prepared: Prepared, integrationId: number, event: EventRow, thread: Thread | undefined): Prepared {
  if (thread === undefined || 'refused' in prepared) return prepared;
  return { ...prepared, saveResult: (tx, result) => saveThread(tx, integrationId, thread, event, result) };
}

interface SigningContext extends Omit<SinkContext, 'showsOrigin'> {
  readonly keys: readonly SigningKey[];
  readonly now: number;
}

/** Builds the message that delivers an event, and signs HTTP requests. */
export function signedRequest(
  { provider, parameters, seesAll }: Integration,
  event: EventRow,
  { keys, now, ...given }: SigningContext,
): Prepared {
  try {
    const context = { ...given, showsOrigin: seesAll };
    const sink = requireSink(provider);
    const request = sink.buildRequest(parameters, event, context);
    if ('send' in request) return { request };
    const sign = (unsigned: OutboundRequest) => {
      const signed = signedHeaders(keys, context.messageId, now, unsigned.body);
      return { ...unsigned, headers: overrideHeaders(unsigned.headers, signed) };
    };
    const before = sink.buildUpdate?.(parameters, context);
    return { request: sign(request), ...(before === undefined ? {} : { before: sign(before) }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { refused: `The message could not be rendered: ${why}.` };
  }
}
