import { isSameJson } from '#kernel/same-json.ts';
import type { Tx } from '#storage/tx.ts';
import { type ChangeLimits, dryRun, type Place } from './apply.ts';
import { type Change, flagOf, type Operation } from './change.ts';
import { baseOf, type CurrentState, readCurrentState } from './conflicts.ts';
import { addTo, createRequest, maxChanges, validateChanges } from './draft-commands.ts';
import { type ChangeRequest, recordOf } from './request.ts';
import { changeState } from './state-commands.ts';
import { findSent, loadRequests } from './store.ts';

/** A change request that was sent to review; not `isNew` when an equal one was open already. */
export interface SentRequest extends Place {
  readonly id: number;
  readonly isNew: boolean;
}

/**
 * Sends operations to review as change requests with a title, beside the draft of the author: one, or several when they
 * are too many for one, to be applied in order. Open requests of the author with that title, in the same place, are
 * kept when their operations are those of a new one on the same state, and are cancelled otherwise. Rejects as
 * requesting the changes one by one does.
 */
export async function requestChanges(
  tx: Tx,
  limits: ChangeLimits,
  place: Place,
  { title, operations }: { readonly title: string; readonly operations: readonly Operation[] },
): Promise<SentRequest[]> {
  const open = await loadRequests(tx.db, await findSent(tx.db, { ...place, title, by: tx.by.actor }));
  const current = await readCurrentState(tx.db, operations);
  const isEqual = ({ changes }: Pick<ChangeRequest, 'changes'>, part: readonly Operation[]) =>
    changes.length === part.length && changes.every((change, index) => isSame(current, place, change, part[index]));
  const parts = inParts(operations).map((part) => ({ part, same: open.find((request) => isEqual(request, part)) }));
  const kept = new Set(parts.flatMap(({ same }) => same?.id ?? []));
  for (const { id, project } of open)
    if (!kept.has(id)) await changeState(tx, limits, { project, id }, { state: 'Cancelled' });
  if (parts.some(({ same }) => same === undefined))
    await dryRun(
      (by, work) => tx.nested(by, work),
      tx.by,
      (trial) => validateChanges(trial, limits, place, operations),
    );
  const sent: SentRequest[] = [];
  for (const { part, same } of parts) {
    const id = same?.id ?? (await send(tx, place, title, part));
    sent.push({ ...place, id, isNew: same === undefined });
  }
  return sent;
}

async function send(tx: Tx, place: Place, title: string, operations: readonly Operation[]): Promise<number> {
  const id = await createRequest(tx, { ...place, state: 'In review', title });
  await addTo(tx, { id, ...place }, operations);
  recordOf(tx, { id, ...place }, 'change-request-sent-to-review');
  return id;
}

/** Returns whether a requested change is the operation, on the current state. */
function isSame(
  current: CurrentState,
  place: Place,
  { operation, base }: Change,
  other: Operation | undefined,
): boolean {
  if (other === undefined || base !== baseOf(current, place, other)) return false;
  return isSameJson(JSON.parse(JSON.stringify(operation)), JSON.parse(JSON.stringify(other)));
}

/** Divides operations into parts that fit into a request, with neighbouring operations of a flag in the same part. */
function inParts(operations: readonly Operation[]): readonly (readonly Operation[])[] {
  const parts: Operation[][] = [];
  let from = 0;
  while (from < operations.length) {
    const flag = flagOf(operations[from] as Operation);
    let to = from + 1;
    while (to < operations.length && to - from < maxChanges && flagOf(operations[to] as Operation) === flag) to++;
    const last = parts.at(-1);
    if (last !== undefined && last.length + to - from <= maxChanges) last.push(...operations.slice(from, to));
    else parts.push(operations.slice(from, to));
    from = to;
  }
  return parts;
}
