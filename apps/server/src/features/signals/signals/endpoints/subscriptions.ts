import type { FetchText } from '#features/signals/signal-sources/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';

/**
 * The state of a subscription: `pending` until an administrator confirms it. Confirming by itself would let every
 * person who knows the address of an endpoint subscribe it.
 */
export type SubscriptionState = 'pending' | 'confirmed' | 'ended';

/** A subscription of an endpoint to a topic of its sender. */
export interface Subscription {
  readonly id: number;
  readonly endpointId: number;
  readonly topic: string;
  readonly state: SubscriptionState;
  /** The address at the sender that confirms the subscription. */
  readonly confirmUrl: string;
  /** The name of the subscription at the sender, once it is confirmed. */
  readonly subscription: string | null;
  readonly receivedAt: number;
  readonly changedAt: number;
}

/** The maximum number of topics of an endpoint. */
const maxTopics = 20;

/**
 * Stores that a sender asks to confirm a subscription, or has ended one. When the endpoint has too many topics, the
 * oldest subscription that is not confirmed makes room. Rejects with 400 when all are confirmed.
 */
export async function noteSubscription(
  tx: Tx,
  endpointId: number,
  { topic, state, confirmUrl }: Pick<Subscription, 'topic' | 'state' | 'confirmUrl'>,
): Promise<void> {
  const others = (await listSubscriptions(tx.db, endpointId)).filter((known) => known.topic !== topic);
  if (others.length >= maxTopics) {
    const [oldest] = others
      .filter((known) => known.state !== 'confirmed')
      .toSorted((a, b) => a.changedAt - b.changedAt);
    if (oldest === undefined)
      throw new Problem(
        'BadDataError',
        `This signal endpoint has ${maxTopics} confirmed subscriptions, which is the limit. End one first.`,
      );
    await tx.db.deleteFrom('signal_subscriptions').where('id', '=', oldest.id).execute();
  }
  await tx.db
    .insertInto('signal_subscriptions')
    .values({
      endpoint_id: endpointId,
      topic,
      state,
      confirm_url: confirmUrl,
      subscription: null,
      received_at: tx.now,
      changed_at: tx.now,
    })
    .onConflict((conflict) =>
      conflict.columns(['endpoint_id', 'topic']).doUpdateSet({
        state,
        confirm_url: confirmUrl,
        subscription: null,
        received_at: tx.now,
        changed_at: tx.now,
      }),
    )
    .execute();
}

/** Lists the subscriptions of an endpoint, by topic. */
export async function listSubscriptions(db: Db, endpointId: number): Promise<Subscription[]> {
  const rows = await db
    .selectFrom('signal_subscriptions')
    .selectAll()
    .where('endpoint_id', '=', endpointId)
    .orderBy('topic')
    .execute();
  return rows.map(fromRow);
}

/** Returns a subscription. Rejects with 404 when the endpoint has none with this id. */
export async function requireSubscription(db: Db, endpointId: number, id: number): Promise<Subscription> {
  const found = (await listSubscriptions(db, endpointId)).find((subscription) => subscription.id === id);
  if (found !== undefined) return found;
  throw new Problem('NotFoundError', `This signal endpoint has no subscription ${id}.`);
}

/**
 * Confirms a subscription at the sender, and returns its name there. Rejects with 409 when the sender refuses or cannot
 * be reached, or when its answer names no subscription.
 */
export async function confirmAtSender({ confirmUrl, topic }: Subscription, fetchText: FetchText): Promise<string> {
  const answer = await askSender(confirmUrl, fetchText);
  const name = /<SubscriptionArn>([^<>\s]{1,500})<\/SubscriptionArn>/.exec(answer)?.[1];
  if (name?.startsWith(`${topic}:`)) return name;
  throw new Problem(
    'ConflictError',
    `The sender did not confirm the subscription: its answer has no subscription of the topic ${topic}.`,
  );
}

/**
 * Ends a confirmed subscription at the sender. Rejects with 409 when it is not confirmed, or when the sender refuses or
 * cannot be reached.
 */
export async function endAtSender(
  { state, subscription, confirmUrl }: Subscription,
  fetchText: FetchText,
): Promise<void> {
  if (state !== 'confirmed' || subscription === null)
    throw new Problem('ConflictError', 'Only a confirmed subscription can be ended.');
  const url = new URL('/', confirmUrl);
  url.searchParams.set('Action', 'Unsubscribe');
  url.searchParams.set('SubscriptionArn', subscription);
  await askSender(url.href, fetchText);
}

async function askSender(url: string, fetchText: FetchText): Promise<string> {
  try {
    return await fetchText(url);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Problem('ConflictError', `The request to the sender failed: ${why}.`, { cause: error });
  }
}

/** Sets the state of a subscription, and records the event if that changes something. */
export async function saveSubscription(
  tx: Tx,
  { id, endpointId, topic, state, subscription }: Subscription,
  change: { readonly state: 'confirmed' | 'ended'; readonly subscription: string | null },
): Promise<void> {
  if (change.state === state && change.subscription === subscription) return;
  await tx.db
    .updateTable('signal_subscriptions')
    .set({ ...change, changed_at: tx.now })
    .where('id', '=', id)
    .execute();
  const data = { id: endpointId, topic };
  tx.record({
    type: change.state === 'confirmed' ? 'signal-subscription-confirmed' : 'signal-subscription-ended',
    data,
  });
}

function fromRow(row: Row<'signal_subscriptions'>): Subscription {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    topic: row.topic,
    state: row.state as SubscriptionState,
    confirmUrl: row.confirm_url,
    subscription: row.subscription,
    receivedAt: row.received_at,
    changedAt: row.changed_at,
  };
}
