import type { signalSubscriptionRoutes } from '@yardarm/contract';
import type { FetchText } from '#features/signals/signal-sources/index.ts';
import type { Handlers } from '#http/handler.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';
import { requireEndpoint } from './require-endpoint.ts';
import {
  confirmAtSender,
  endAtSender,
  listSubscriptions,
  requireSubscription,
  type Subscription,
  saveSubscription,
} from './subscriptions.ts';

/** Builds the routes of the subscriptions that senders ask to confirm. */
export function subscriptionHandlers(
  { db, write }: Database,
  fetchText: FetchText,
): Handlers<typeof signalSubscriptionRoutes> {
  return {
    'GET /api/admin/signal-endpoints/:id/subscriptions': async ({ params }) => {
      await requireEndpoint(db, params.id);
      return { body: { subscriptions: (await listSubscriptions(db, params.id)).map(present) } };
    },
    'POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/confirm': async ({ params, author }) => {
      const subscription = await requireSubscription(db, params.id, params.subscriptionId);
      // Outside the transaction, which must not wait for the sender.
      const name = await confirmAtSender(subscription, fetchText);
      await write(author, (tx) => saveSubscription(tx, subscription, { state: 'confirmed', subscription: name }));
      return { body: present(await requireSubscription(db, params.id, params.subscriptionId)) };
    },
    'POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/end': async ({ params, author }) => {
      const subscription = await requireSubscription(db, params.id, params.subscriptionId);
      await endAtSender(subscription, fetchText);
      await write(author, (tx) => saveSubscription(tx, subscription, { state: 'ended', subscription: null }));
      return { body: present(await requireSubscription(db, params.id, params.subscriptionId)) };
    },
  };
}

function present({ id, topic, state, receivedAt, changedAt }: Subscription) {
  return { id, topic, state, receivedAt: isoTime(receivedAt), changedAt: isoTime(changedAt) };
}
