import { incidentsOfEvents } from '#features/automation/incidents/index.ts';
import {
  type Delivery,
  type IntegrationKind,
  type Prepared,
  type SigningKey,
  signedHeaders,
} from '#features/platform/deliveries/index.ts';
import type { Mailer } from '#features/platform/email/index.ts';
import { type OutboundRequest, overrideHeaders } from '#features/platform/outbound/index.ts';
import { type Clock, timeText } from '#kernel/clock.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';
import { causingAlerts } from './alert-words.ts';
import type { FanOut } from './fan-out.ts';
import type { Integration } from './integration.ts';
import { hasThreads, requireSink, type SinkContext } from './sinks/index.ts';
import * as store from './store.ts';
import { saveThread, type Thread, threadOf } from './threads/index.ts';

export interface IntegrationDeliveriesOptions {
  readonly fanOut: FanOut;
  readonly clock: Clock;
  /** Returns the public URL of this server. */
  readonly baseUrl: () => string;
  readonly mailer: Mailer | undefined;
  /** Groups the events so far into incidents, to which messages belong. */
  readonly groupIncidents: () => Promise<unknown>;
}

/** Sends events to integrations through the outbox. */
export function integrationDeliveries(options: IntegrationDeliveriesOptions): IntegrationKind {
  return {
    fanOut: () => options.fanOut.run(),
    receivers: () => options.fanOut.receivers(),
    prepare: (db, deliveries) => prepare(db, options, deliveries),
  };
}

async function prepare(
  db: Db,
  { clock, baseUrl, mailer, groupIncidents }: IntegrationDeliveriesOptions,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<number, Prepared>> {
  const ids = deliveries.map(({ integrationId }) => integrationId ?? 0);
  const integrations = new Map((await store.listIntegrations(db)).map((integration) => [integration.id, integration]));
  const keys = await store.signingKeysOf(db, ids);
  const eventIds = deliveries.map(({ eventId }) => eventId ?? 0);
  const events = await store.eventsById(db, eventIds);
  const needIncidents = ids.some((id) => hasThreads(integrations.get(id)?.provider ?? ''));
  if (needIncidents) await groupIncidents();
  const incidents = needIncidents ? await incidentsOfEvents(db, eventIds) : new Map<number, number>();
  const prepared = new Map<number, Prepared>();
  for (const delivery of deliveries) {
    const { id, integrationId, eventId, messageId } = delivery;
    const integration = integrations.get(integrationId ?? 0);
    // Read again, because another process may have disabled it.
    if (integration?.enabled !== true) continue;
    const event = events.get(eventId ?? 0);
    if (event === undefined) prepared.set(id, { refused: 'The event was deleted before it was sent.' });
    else {
      const now = clock.now();
      const kind = requireSink(integration.provider).threads;
      const query = { incidentId: incidents.get(event.id), now, isRepeat: isRedelivered(delivery) };
      const thread = kind === undefined ? undefined : await threadOf(db, integration, event, { ...query, kind });
      // The titles of alerts need READ_SIGNALS, so a receiver sees them when an administrator chose it.
      const told =
        kind === undefined || !integration.seesAll ? [] : [event, ...(thread === undefined ? [] : [thread.first])];
      const alerts = await causingAlerts(db, told);
      const context = { messageId, baseUrl: baseUrl(), mailer, thread, alerts };
      const signing = { ...context, keys: keys.get(integration.id) ?? [], now };
      prepared.set(id, withThread(messageFor(integration, event, signing), integration.id, event, thread));
    }
  }
  return prepared;
}

/** Returns whether a person wants a message again: the failures begin anew, and the attempts go on. */
function isRedelivered({ attempts, failures }: Delivery): boolean {
  return attempts > 0 && failures === 0;
}

/** Builds the message of an event, unless another message of its incident tells it. */
function messageFor(integration: Integration, event: EventRow, signing: SigningContext): Prepared {
  const { thread } = signing;
  const incident = `of the incident ${thread?.incidentId}`;
  if (thread?.telling === 'told') return { told: `An earlier message ${incident} told this event.` };
  if (thread?.telling === 'wait')
    return { told: `The digest ${incident} tells this event after ${timeText(thread.digestAt)}.` };
  return signedRequest(integration, event, signing);
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
    const isUpdate = context.thread?.telling === 'update';
    const update = sink.buildUpdate?.(parameters, context);
    if (isUpdate && update === undefined) return { told: 'The receiver did not name the message to update.' };
    const request = isUpdate && update !== undefined ? update : sink.buildRequest(parameters, event, context);
    if ('send' in request) return { request };
    const sign = (unsigned: OutboundRequest) => {
      const signed = signedHeaders(keys, context.messageId, now, unsigned.body);
      return { ...unsigned, headers: overrideHeaders(unsigned.headers, signed) };
    };
    const before = isUpdate ? undefined : update;
    return { request: sign(request), ...(before === undefined ? {} : { before: sign(before) }) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { refused: `The message could not be rendered: ${why}.` };
  }
}
