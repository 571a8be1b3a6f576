import { Counter } from 'prom-client';
import { callDeliveries } from '#features/automation/actions/index.ts';
import { catchUp } from '#features/automation/incidents/index.ts';
import { stopFor, stopOfAll } from '#features/flags/automation-stops/index.ts';
import {
  FanOut,
  integrationDeliveries,
  integrationDeliveryHandlers,
} from '#features/integrations/integrations/index.ts';
import type { Activity } from '#features/log/activity/index.ts';
import { DeliverySender } from '#features/platform/deliveries/index.ts';
import type { Mailer } from '#features/platform/email/index.ts';
import { createSender, resolveByDns } from '#features/platform/outbound/index.ts';
import type { ServiceDependencies } from './dependencies.ts';
import { addressPolicyOf } from './integrations.ts';

const hourMs = 60 * 60 * 1000;

/** Returns how long a message is retried, in milliseconds. */
export function deliveryLifetimeOf({ deliveryRetryHours }: ServiceDependencies['config']): number {
  return deliveryRetryHours * hourMs;
}

/** Builds the sender of events to integrations and of action calls. */
export function buildDeliveries(
  { config, clock, database, metrics, log, publicUrl }: ServiceDependencies,
  activity: Activity,
  mailer: Mailer | undefined,
) {
  const attempts = new Counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to send events to integrations and action calls, by receiver and state of the message afterwards',
    labelNames: ['receiver', 'state'],
    registers: [metrics.registry],
  });
  const fanOut = new FanOut(database, clock, deliveryLifetimeOf(config));
  const timeoutMs = config.deliveryTimeoutSeconds * 1000;
  const send = createSender(addressPolicyOf(config), resolveByDns, timeoutMs);
  const sender = new DeliverySender({
    database,
    clock,
    send,
    timeoutMs,
    integrations: integrationDeliveries({
      fanOut,
      clock,
      baseUrl: publicUrl,
      mailer,
      groupIncidents: () => catchUp(database),
    }),
    calls: callDeliveries(async (db) => stopFor('call by an action', await stopOfAll(db)) !== undefined, clock),
    onAttempt: (receiver, state) => {
      attempts.inc({ receiver, state });
      activity.note(receiver === 'call' ? 'runs' : 'deliveries');
    },
    onError: (error) => log.error({ err: error }, 'sending events to integrations or action calls failed'),
  });
  database.feed.subscribe({
    events: (events) => {
      if (fanOut.wants(events)) sender.wakeForEvents();
    },
    reset: () => sender.wakeForEvents(),
  });
  const handlers = integrationDeliveryHandlers(database, {
    clock,
    send,
    lifetimeMs: deliveryLifetimeOf(config),
    baseUrl: publicUrl,
    mailer,
    wake: () => sender.wake(),
  });
  return { sender, handlers };
}
