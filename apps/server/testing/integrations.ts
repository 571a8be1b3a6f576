import { queueDeliveries } from '#features/platform/deliveries/index.ts';
import { author } from './database.ts';
import { freshName } from './flags.ts';
import type { TestServer } from './server.ts';

/** Creates an integration; it subscribes to no events unless `more` overrides them. */
export async function givenIntegration(server: TestServer, more: object = {}): Promise<{ readonly id: number }> {
  const reply = await server.admin.call('POST /api/admin/addons', { body: { ...integrationBody, ...more } });
  if (reply.status !== 201) throw new Error(`creating an integration answered ${reply.status}: ${reply.text}`);
  return reply.json;
}

export const integrationBody = {
  provider: 'webhook',
  enabled: true,
  parameters: { url: 'https://8.8.8.8/hook', authorization: 'Bearer of-a-secret' },
  events: [],
};

/**
 * Stores a delivery of the newest event to an integration, and returns its id. A delivery that is not `waiting` has one
 * attempt.
 */
export async function givenDelivery(
  server: TestServer,
  integrationId: number,
  state: 'waiting' | 'delivered' | 'dead',
): Promise<number> {
  const { database } = server.app;
  return database.writeQuietly('deliveries', author, async (tx) => {
    const events = tx.db.selectFrom('events').select('id').orderBy('id', 'desc').limit(1);
    const event = await events.executeTakeFirstOrThrow();
    const messageId = freshName('msg');
    await queueDeliveries(tx, 24 * 3_600_000, [{ messageId, integrationId, eventId: event.id }]);
    const change =
      state === 'waiting'
        ? { next_attempt_at: tx.now + 3_600_000 }
        : { state, attempts: 1, status: 500, next_attempt_at: null, settled_at: tx.now };
    const row = await tx.db
      .updateTable('deliveries')
      .set(change)
      .where('message_id', '=', messageId)
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  });
}
