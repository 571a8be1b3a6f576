import { isSameJson } from '../../kernel/same-json.ts';
import type { Tx } from '../../storage/tx.ts';
import { type ChangeLimits, dryRun, type Place } from './apply.ts';
import type { Change, Operation } from './change.ts';
import { baseOf, readCurrentState } from './conflicts.ts';
import { addTo, createRequest, validateChanges } from './draft-commands.ts';
import { recordOf } from './request.ts';
import { changeState } from './state-commands.ts';
import { findSent, loadRequests } from './store.ts';

/** A change request that was sent to review; not `isNew` when an equal one was open already. */
export interface SentRequest extends Place {
  readonly id: number;
  readonly isNew: boolean;
}

/**
 * Sends operations to review as a change request with a title, beside the draft of the author. An open request of the
 * author with that title, in the same place, is kept when its operations are the same ones on the same state, and is
 * cancelled otherwise. Rejects as requesting the changes one by one does.
 */
export async function requestChanges(
  tx: Tx,
  limits: ChangeLimits,
  place: Place,
  { title, operations }: { readonly title: string; readonly operations: readonly Operation[] },
): Promise<SentRequest> {
  const open = await loadRequests(tx.db, await findSent(tx.db, { ...place, title, by: tx.by.actor }));
  const current = await readCurrentState(tx.db, operations);
  const isEqual = (change: Change, index: number) => {
    const operation = operations[index];
    if (operation === undefined || change.base !== baseOf(current, place, operation)) return false;
    return isSameJson(JSON.parse(JSON.stringify(change.operation)), JSON.parse(JSON.stringify(operation)));
  };
  const same = open.find(({ changes }) => changes.length === operations.length && changes.every(isEqual));
  for (const { id, project } of open)
    if (id !== same?.id) await changeState(tx, limits, { project, id }, { state: 'Cancelled' });
  if (same !== undefined) return { ...place, id: same.id, isNew: false };
  await dryRun(
    (by, work) => tx.nested(by, work),
    tx.by,
    (trial) => validateChanges(trial, limits, place, operations),
  );
  const id = await createRequest(tx, { ...place, state: 'In review', title });
  await addTo(tx, { id, ...place }, operations);
  recordOf(tx, { id, ...place }, 'change-request-sent-to-review');
  return { ...place, id, isNew: true };
}
