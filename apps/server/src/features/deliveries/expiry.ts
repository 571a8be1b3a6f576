import type { Author } from '../../kernel/actor.ts';
import { timeText } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import type { Receiver } from './delivery.ts';

const step = 500;

/** Says that a message was too old to be sent. */
export function expiredText(expiresAt: number): string {
  return `The message expired at ${timeText(expiresAt)} and was not sent.`;
}

/** Makes waiting messages of integrations dead letters when they are too old or their integration was disabled. */
export async function buryUnsendable(
  { db, writeQuietly }: Pick<Database, 'db' | 'writeQuietly'>,
  author: Author,
  now: number,
  receivers: readonly Receiver[],
): Promise<void> {
  const enabled = new Set(receivers.map(({ id }) => id));
  const waiting = db
    .selectFrom('deliveries')
    .select(['id', 'integration_id', 'expires_at'])
    .where('state', '=', 'waiting')
    .where('integration_id', 'is not', null)
    .where((eb) =>
      eb.or([
        eb.and([eb('expires_at', '<', now), eb('next_attempt_at', '<=', now)]),
        ...(enabled.size === 0 ? [eb('id', '>', 0)] : [eb('integration_id', 'not in', [...enabled])]),
      ]),
    )
    .limit(step);
  for (;;) {
    const rows = await waiting.execute();
    if (rows.length === 0) return;
    const reasons = Map.groupBy(rows, ({ integration_id: integrationId, expires_at: expiresAt }) =>
      enabled.has(integrationId ?? 0)
        ? expiredText(expiresAt)
        : 'The integration was disabled before the event was sent.',
    );
    await writeQuietly('deliveries', author, async (tx) => {
      for (const [details, dead] of reasons)
        await tx.db
          .updateTable('deliveries')
          .set({ state: 'dead', details, next_attempt_at: null, settled_at: tx.now })
          .where(
            'id',
            'in',
            dead.map(({ id }) => id),
          )
          .where('state', '=', 'waiting')
          .execute();
    });
  }
}
