import type { integrationDeliveryRoutes } from '@yardarm/contract';
import {
  attemptsOf,
  countUnsent,
  type Delivery,
  healthOfAll,
  listDeliveries,
} from '#features/platform/deliveries/index.ts';
import type { Mailer } from '#features/platform/email/index.ts';
import { describeResult, isDelivered, type Send } from '#features/platform/outbound/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Clock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Database } from '#storage/database.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';
import { requireIntegration } from './commands.ts';
import { signedRequest } from './delivery.ts';
import * as commands from './delivery-commands.ts';
import { requireDelivery } from './delivery-queries.ts';
import { type Integration, isHiddenFrom } from './integration.ts';
import { presentAttempt, presentDelivery, presentHealth } from './present-delivery.ts';
import { eventOfRequest, eventsById, listIntegrations, signingKeysOf } from './store.ts';

const defaultLimit = 50;

export interface DeliveryRouteOptions {
  readonly clock: Clock;
  readonly send: Send;
  /** How long a redelivered event is retried. */
  readonly lifetimeMs: number;
  /** Returns the public URL of this server, for links in messages. */
  readonly baseUrl: () => string;
  readonly mailer: Mailer | undefined;
  /** Called after messages were queued or made due. */
  readonly wake: () => void;
}

/** Builds the routes of deliveries, redelivery, tests and signing keys. */
export function integrationDeliveryHandlers(
  { db, write }: Database,
  options: DeliveryRouteOptions,
): Handlers<typeof integrationDeliveryRoutes> {
  const { clock, lifetimeMs, wake } = options;
  return {
    'GET /api/admin/integrations/health': async ({ caller }) => ({
      body: { integrations: await healthOf(db, caller.hidden, clock.now()) },
    }),
    'GET /api/admin/integrations/:id/deliveries': async ({ params, query, caller }) => {
      await requireIntegration(db, caller, params.id);
      const limit = query.limit ?? defaultLimit;
      const page = await listDeliveries(db, params.id, { state: query.state, before: query.before, limit });
      const events = await eventsOf(db, page);
      const deliveries = page.map((delivery) => presentDelivery(delivery, events.get(delivery.eventId ?? 0)));
      const last = page.at(-1);
      return { body: { deliveries, nextCursor: page.length < limit || last === undefined ? null : String(last.id) } };
    },
    'GET /api/admin/integrations/:id/deliveries/:deliveryId': async ({ params, caller }) => {
      await requireIntegration(db, caller, params.id);
      const delivery = await requireDelivery(db, params.id, params.deliveryId);
      const event = (await eventsOf(db, [delivery])).get(delivery.eventId ?? 0);
      const log = (await attemptsOf(db, delivery.id)).map(presentAttempt);
      return { body: { ...presentDelivery(delivery, event), log } };
    },
    'POST /api/admin/integrations/:id/deliveries/:deliveryId/redeliver': async ({ params, author }) => {
      const selection = { id: params.deliveryId };
      const body = await write(author, (tx) => commands.redeliverEvents(tx, params.id, selection, lifetimeMs));
      wake();
      return { body };
    },
    'POST /api/admin/integrations/:id/redeliver': async ({ params, body: wanted, author }) => {
      const selection = 'state' in wanted ? { failed: true as const } : wanted;
      const body = await write(author, (tx) => commands.redeliverEvents(tx, params.id, selection, lifetimeMs));
      wake();
      return { body };
    },
    'POST /api/admin/integrations/:id/test': async ({ params, author, caller, request }) => {
      await write(author, (tx) => commands.recordTest(tx, params.id));
      const event = await eventOfRequest(db, 'integration-tested', request.requestId);
      if (event === undefined) throw new Error('the event of a test was not stored');
      const integration = await requireIntegration(db, caller, params.id);
      return { body: await sendTest(db, options, integration, event) };
    },
    'POST /api/admin/integrations/:id/resume': async ({ params, author }) => {
      await write(author, (tx) => commands.resumeIntegration(tx, params.id));
      wake();
    },
    'POST /api/admin/integrations/:id/rotate-key': async ({ params, body, author }) => {
      const signingSecret = await write(author, (tx) => commands.rotateKey(tx, params.id, body.signing));
      return { body: { signingSecret } };
    },
  };
}

async function healthOf(db: Db, hidden: ReadonlySet<string>, now: number) {
  const visible = (await listIntegrations(db)).filter((integration) => !isHiddenFrom(integration, hidden));
  const ids = visible.map(({ id }) => id);
  const health = await healthOfAll(db);
  const counts = await countUnsent(db);
  const keys = await signingKeysOf(db, ids);
  return ids.map((id) => presentHealth(id, health.get(id), counts.get(id), keys.get(id) ?? [], now));
}

/** Sends the event of a test, beside the queue, and returns the result. */
async function sendTest(
  db: Db,
  { send, clock, baseUrl: publicUrl, mailer }: DeliveryRouteOptions,
  integration: Integration,
  event: EventRow,
) {
  const [now, baseUrl] = [clock.now(), publicUrl()];
  const keys = (await signingKeysOf(db, [integration.id])).get(integration.id) ?? [];
  const prepared = signedRequest(integration, event, { keys, messageId: `msg_${newId()}`, now, baseUrl, mailer });
  const startedAt = performance.now();
  const result =
    'request' in prepared
      ? await send(prepared.request)
      : { failure: 'refused' in prepared ? prepared.refused : prepared.told };
  return {
    delivered: isDelivered(result),
    status: 'status' in result ? result.status : null,
    details: describeResult(result),
    answer: 'status' in result ? result.answer : null,
    durationMs: Math.round(performance.now() - startedAt),
  };
}

function eventsOf(db: Db, deliveries: readonly Pick<Delivery, 'eventId'>[]): Promise<Map<number, EventRow>> {
  return eventsById(
    db,
    deliveries.flatMap(({ eventId }) => eventId ?? []),
  );
}
