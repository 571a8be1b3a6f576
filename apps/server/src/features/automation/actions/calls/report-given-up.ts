import type { Delivery } from '#features/platform/deliveries/index.ts';
import type { Tx } from '#storage/tx.ts';

/** A call that is given up is not reported within this time after another call of the same set was given up. */
const quietMs = 10 * 60 * 1000;

/**
 * Records an event for a call that was given up, so that people are notified. Records none when another call of the
 * same set was given up in the last ten minutes.
 */
export async function reportGivenUp(tx: Tx, { id, callId, attempts, status, details }: Delivery): Promise<void> {
  const call = await tx.db
    .selectFrom('action_calls as c')
    .innerJoin('action_sets as s', 's.id', 'c.action_set_id')
    .innerJoin('action_runs as r', 'r.id', 'c.run_id')
    .select(['c.id', 'c.run_id', 's.id as set_id', 's.name', 's.project', 'r.signal_id'])
    .where('c.id', '=', callId)
    .executeTakeFirst();
  if (call === undefined || (await wasTold(tx, call.set_id, id))) return;
  const { run_id: runId, set_id: actionSetId, name, project, signal_id: signalId } = call;
  const told = { callId: call.id, attempts, status, error: details ?? 'The call was not delivered.' };
  await tx.nested({ ...tx.by, cause: { ...tx.by.cause, signalId, runId } }, async (part) =>
    part.record({
      type: 'action-call-given-up',
      outcome: 'failure',
      project,
      data: { actionSetId, name, runId, ...told },
    }),
  );
}

async function wasTold({ db, now }: Tx, setId: number, deliveryId: number): Promise<boolean> {
  const earlier = await db
    .selectFrom('deliveries as d')
    .innerJoin('action_calls as c', 'c.id', 'd.call_id')
    .select('d.id')
    .where('c.action_set_id', '=', setId)
    .where('d.state', '=', 'dead')
    .where('d.settled_at', '>', now - quietMs)
    .where('d.id', '<>', deliveryId)
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}
