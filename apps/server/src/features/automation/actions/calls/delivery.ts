import { type CallKind, type Delivery, type Prepared, signedHeaders } from '#features/platform/deliveries/index.ts';
import { overrideHeaders } from '#features/platform/outbound/index.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';
import { reportGivenUp } from './report-given-up.ts';
import { signingKeys } from './signing-keys.ts';
import { requestsOf, settleCall } from './store.ts';

/** Sends action calls through the outbox. */
export function callDeliveries(halted: (db: Db) => Promise<boolean>, clock: Clock): CallKind {
  return {
    prepare: (db, deliveries) => prepare(db, clock.now(), deliveries),
    halted,
    settled: async (tx, delivery) => {
      await settleCall(tx, delivery.callId ?? 0, delivery.state);
      if (delivery.state === 'dead') await reportGivenUp(tx, delivery);
    },
  };
}

async function prepare(db: Db, now: number, deliveries: readonly Delivery[]): Promise<ReadonlyMap<number, Prepared>> {
  const requests = await requestsOf(
    db,
    deliveries.map(({ callId }) => callId ?? 0),
  );
  const keys = await signingKeys(db);
  const prepared = new Map<number, Prepared>();
  for (const { id, callId, messageId } of deliveries) {
    const call = requests.get(callId ?? 0);
    if (call === undefined) continue;
    const { method, url, body, runId } = call;
    const headers = overrideHeaders(call.headers, {
      'idempotency-key': messageId,
      'yardarm-run-id': String(runId),
      ...signedHeaders(keys, messageId, now, body),
    });
    prepared.set(id, { request: { method, url, headers, body } });
  }
  return prepared;
}
