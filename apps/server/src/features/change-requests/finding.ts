import type { Actor } from '../../kernel/actor.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Db } from '../../storage/tx.ts';
import { type ChangeRequest, isSame, openStates, requireState } from './request.ts';
import { loadRequests } from './store.ts';

export interface RequestRef {
  readonly project: string;
  readonly id: number;
}

/** The request, or a 404: also of another project, and of a draft that somebody else has. */
export async function requireRequest(db: Db, { project, id }: RequestRef, caller: Actor): Promise<ChangeRequest> {
  const [request] = await loadRequests(db, [id]);
  if (request?.project === project && (request.state !== 'Draft' || isSame(request.by, caller))) return request;
  throw new Problem('NotFoundError', `The project ${project} has no change request ${id}.`);
}

/** {@link requireRequest} for who made it: a 403 for others, a 409 when it is applied or given up. */
export async function requireOwn(db: Db, ref: RequestRef, caller: Actor): Promise<ChangeRequest> {
  const request = await requireRequest(db, ref, caller);
  if (!isSame(request.by, caller)) {
    throw new Problem('OperationDeniedError', `Only ${request.by.name}, who made the change request, may do this.`);
  }
  requireState(request, ...openStates);
  return request;
}
