import type { IsOnHold } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';
import { noRequest } from './store.ts';

const hourMs = 60 * 60 * 1000;
/** How long the request of a failed call is kept, so that it can be sent again. */
const keptMs = 30 * 24 * hourMs;
const step = 500;

/** Returns the job that deletes the requests of failed calls after 30 days. The calls stay as long as their runs. */
export function callRetention(isOnHold: IsOnHold): JobKind {
  return {
    kind: 'action-call-retention',
    recurring: true,
    run: async (tx) => {
      if (await isOnHold(tx.db)) return tx.now + hourMs;
      const old = await tx.db
        .selectFrom('action_calls as c')
        .innerJoin('deliveries as d', 'd.call_id', 'c.id')
        .select('c.id')
        .where('d.state', '=', 'dead')
        .where('d.settled_at', '<', tx.now - keptMs)
        .where('c.url', '<>', '')
        .limit(step)
        .execute();
      if (old.length === 0) return tx.now + hourMs;
      const ids = old.map(({ id }) => id);
      await tx.db.updateTable('action_calls').set(noRequest).where('id', 'in', ids).execute();
      return old.length === step ? tx.now : tx.now + hourMs;
    },
  };
}
