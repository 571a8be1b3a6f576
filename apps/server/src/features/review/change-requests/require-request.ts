import type { Actor } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import { type ChangeRequest, isSame, openStates, requireState } from './request.ts';
import { loadRequests } from './store.ts';

export interface RequestRef {
  readonly project: string;
  readonly id: number;
}

/** Returns the request. Rejects with 404 when it is in another project, or is a draft of another account. */
export async function requireRequest(db: Db, { project, id }: RequestRef, caller: Actor): Promise<ChangeRequest> {
  const [request] = await loadRequests(db, [id]);
  if (request?.project === project && (request.state !== 'Draft' || isSame(request.by, caller))) return request;
  throw new Problem('NotFoundError', `The project ${project} has no change request ${id}.`);
}

/** Like {@link requireRequest}, for the author only: 403 for other accounts, 409 when the request is no longer open. */
export async function requireOwn(db: Db, ref: RequestRef, caller: Actor): Promise<ChangeRequest> {
  const request = await requireRequest(db, ref, caller);
  if (!isSame(request.by, caller)) {
    throw new Problem(
      'OperationDeniedError',
      `Only the author of the change request, ${request.by.name}, may do this.`,
    );
  }
  requireState(request, ...openStates);
  return request;
}
