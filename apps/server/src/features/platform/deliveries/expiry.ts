import type { Author } from '#kernel/actor.ts';
import { timeText } from '#kernel/clock.ts';
import type { Database } from '#storage/database.ts';

const step = 500;

/** Says that a message was too old to be sent. */
export function expiredText(expiresAt: number): string {
  return `The message expired at ${timeText(expiresAt)} and was not sent.`;
}

/**
 * Makes waiting messages of integrations dead letters when they are too old or their integration was disabled. Asks the
 * database whether it is: another process may just have enabled it.
 */
export async function buryUnsendable(
  { db, writeQuietly }: Pick<Database, 'db' | 'writeQuietly'>,
  author: Author,
  now: number,
): Promise<void> {
  const waiting = db
    .selectFrom('deliveries as d')
    .innerJoin('integrations as i', 'i.id', 'd.integration_id')
    .select(['d.id', 'd.expires_at', 'i.enabled'])
    .where('d.state', '=', 'waiting')
    .where((eb) =>
      eb.or([eb.and([eb('d.expires_at', '<', now), eb('d.next_attempt_at', '<=', now)]), eb('i.enabled', '=', 0)]),
    )
    .limit(step);
  for (;;) {
    const rows = await waiting.execute();
    if (rows.length === 0) return;
    const reasons = Map.groupBy(rows, ({ enabled, expires_at: expiresAt }) =>
      enabled === 1 ? expiredText(expiresAt) : 'The integration was disabled before the event was sent.',
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
