import { author } from '#testing/database.ts';
import type { Scenario } from '#testing/scenario.ts';
import type { TestServer } from '#testing/server.ts';
import { givenEndpoint } from '#testing/signals.ts';
import { topic } from '#testing/sns.ts';
import { noteSubscription } from './endpoints/subscriptions.ts';

const list = 'GET /api/admin/signal-endpoints/:id/subscriptions';
const confirm = 'POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/confirm';
const end = 'POST /api/admin/signal-endpoints/:id/subscriptions/:subscriptionId/end';

/** Creates a subscription that waits to be confirmed. The server of the test must answer for the sender. */
async function pending(server: TestServer) {
  const { id } = await givenEndpoint(server);
  const confirmUrl = `https://sns.eu-north-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}&Token=1`;
  await server.app.database.writeQuietly('signal ingest', author, (tx) =>
    noteSubscription(tx, id, { topic, confirmUrl, state: 'pending' }),
  );
  const { json } = await server.admin.call(list, { params: { id } });
  return { params: { id, subscriptionId: json.subscriptions[0].id } };
}

async function confirmed(server: TestServer) {
  const call = await pending(server);
  await server.admin.call(confirm, call);
  return call;
}

/** Scenarios of the subscriptions of signal endpoints. */
export const subscriptionScenarios: readonly Scenario[] = [
  {
    route: list,
    name: 'shows a subscription that waits to be confirmed',
    given: pending,
    answer: { subscriptions: [{ topic, state: 'pending' }] },
  },
  {
    route: confirm,
    name: 'confirms a subscription at its sender',
    given: pending,
    answer: { state: 'confirmed' },
    events: [{ type: 'signal-subscription-confirmed', data: { topic } }],
  },
  {
    route: end,
    name: 'ends a confirmed subscription at its sender',
    given: confirmed,
    answer: { state: 'ended' },
    events: [{ type: 'signal-subscription-ended', data: { topic } }],
  },
  { route: end, name: 'answers 409 for a subscription that is not confirmed', given: pending, status: 409 },
];
