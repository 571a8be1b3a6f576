import { type ReviewPolicy, secondPersonCheck } from '#features/flags/change-control/index.ts';
import type { Identity } from '#kernel/caller.ts';
import type { Db } from '#storage/tx.ts';
import { type ChangeRequest, isSame, sentStates } from './request.ts';
import { mayApprove, missingPermissionToApply, type ReviewRules, readReviewRules } from './review-rules.ts';
import { findRequests, type RequestFilter } from './search.ts';
import { loadRequests } from './store.ts';

/** Maximum number of requests in a list without paging. */
export const maxListed = 1000;

/** Returns the newest open requests that the caller can act on. Drafts are excluded: only their author sees them. */
export async function actionableRequests(
  db: Db,
  caller: Identity,
  filter: RequestFilter,
  policy: ReviewPolicy,
): Promise<ChangeRequest[]> {
  const states = sentStates.filter((state) => filter.states?.includes(state) ?? true);
  if (states.length === 0) return [];
  const requests = await loadRequests(db, await findRequests(db, { ...filter, states }, { limit: maxListed }));
  return actionableOf(db, caller, requests, policy);
}

/**
 * Returns the requests that the caller can send, approve or apply. Where review is binding, these are no requests in
 * review for which the caller does not count as a second person.
 */
export async function actionableOf(
  db: Db,
  caller: Identity,
  requests: readonly ChangeRequest[],
  { binding }: ReviewPolicy,
): Promise<ChangeRequest[]> {
  const rules = await readReviewRules(db, requests);
  const found = requests.filter((request) => isActionable(caller, request, rules));
  if (!binding) return found;
  const inReview = found.filter(({ state }) => state === 'In review');
  const problemOf = await secondPersonCheck(db, caller.actor, inReview);
  return found.filter(
    (request) => request.state !== 'In review' || problemOf(request, Number.POSITIVE_INFINITY) === undefined,
  );
}

/** Returns the scheduled requests that are applied before a time, the next one first. */
export async function scheduledBefore(db: Db, caller: Identity, before: number): Promise<ChangeRequest[]> {
  const filter: RequestFilter = { caller: caller.actor, hidden: caller.hidden, states: ['Scheduled'] };
  const requests = await loadRequests(db, await findRequests(db, filter, { limit: maxListed }));
  return requests
    .filter(({ schedule }) => schedule?.status === 'pending' && schedule.at < before)
    .toSorted((a, b) => (a.schedule?.at ?? 0) - (b.schedule?.at ?? 0));
}

/** Returns whether the permissions of the caller allow to send, approve or apply an open request. */
function isActionable({ actor, can }: Identity, request: ChangeRequest, rules: ReviewRules): boolean {
  switch (request.state) {
    case 'Draft':
      return isSame(request.by, actor);
    case 'In review':
      return (
        !isSame(request.by, actor) &&
        mayApprove(rules, request, can) &&
        !request.reviews.some(({ by }) => isSame(by, actor))
      );
    default:
      return request.schedule?.status !== 'pending' && missingPermissionToApply(rules, request, can) === undefined;
  }
}
