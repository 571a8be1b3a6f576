import { accountsWithPermission } from '#features/people/access/index.ts';
import { reviewMail, type SendToUser } from '#features/platform/email/index.ts';
import type { Db } from '#storage/tx.ts';
import { titleOf } from './request.ts';
import { loadRequests } from './store.ts';

/** The maximum number of e-mails about one review: in a large project, many accounts may approve. */
const maxMails = 50;

export interface ReviewMailOptions {
  readonly id: number;
  readonly sendToUser: SendToUser;
  readonly publicUrl: string;
}

/**
 * Sends e-mail about a change request in review to the users who may approve it, except its author. The approvers that
 * the author named come first.
 */
export async function mailReviewers(db: Db, { id, sendToUser, publicUrl }: ReviewMailOptions): Promise<void> {
  const [request] = await loadRequests(db, [id]);
  if (request?.state !== 'In review') return;
  const { project, environment, by, approvers } = request;
  const accounts = await accountsWithPermission(db, 'APPROVE_CHANGE_REQUEST', { project, environment });
  const reviewers = accounts.filter((account) => account.email !== null && account.id !== by.userId);
  const named = reviewers.filter((reviewer) => approvers.includes(reviewer.id));
  const url = `${publicUrl}/projects/${project}/change-requests/${id}`;
  const mail = reviewMail({ title: titleOf(request), project, environment, author: by.name, url });
  for (const { email } of [...new Set([...named, ...reviewers])].slice(0, maxMails)) sendToUser(email, mail);
}
