import type { Actor } from '../../kernel/actor.ts';
import type { Db } from '../../storage/tx.ts';
import { findAccounts } from '../access/index.ts';
import { controllersOf } from '../account-control/index.ts';

/** For this time before a request, control of an account counts. In milliseconds. */
const countsForMs = 7 * 24 * 60 * 60 * 1000;

/** A change that a second person has to approve. */
export interface Requested {
  readonly by: Actor;
  /** The time of the request, in milliseconds UTC. */
  readonly at: number;
}

/**
 * Returns why an approver does not count as a second person; undefined when the approver does. Only users count, and
 * neither a user who controls the account of the author nor one whose account the author controls: between 7 days
 * before the request and the approval, one made the other's account or set its password, e-mail address or login, also
 * through further accounts. An account whose person signed up in that time counts for nobody, because its person is not
 * known.
 */
export async function secondPersonProblem(
  db: Db,
  approver: Actor,
  { by, at }: Requested,
  until: number,
): Promise<string | undefined> {
  const problem = await notAPerson(db, approver);
  if (problem !== undefined) return problem;
  const period = { since: at - countsForMs, until };
  const [ofApprover, ofAuthor] = await Promise.all([
    controllersOf(db, approver.userId, period),
    controllersOf(db, by.userId, period),
  ]);
  if (ofApprover.has(by.userId)) return linked(by.name, approver.name);
  if (ofAuthor.has(approver.userId)) return linked(approver.name, by.name);
  if (ofApprover.has(null))
    return `${approver.name} signed up less than 7 days before the request, or after it. Another person must approve it.`;
  return undefined;
}

/** Returns why an actor does not count as a person: service accounts and tokens do not. Undefined for a user. */
export async function notAPerson(db: Db, { userId, name }: Actor): Promise<string | undefined> {
  const [account] = await findAccounts(db, [userId]);
  if (account?.kind === 'user') return undefined;
  return `Only users approve where review is binding, and ${name} is not a user. Log in as a person.`;
}

function linked(controller: string, controlled: string): string {
  const did = `made the account of ${controlled}, or set its password, e-mail address or login`;
  return `${controller} ${did}, less than 7 days before the request or after it. Another person must approve it.`;
}
