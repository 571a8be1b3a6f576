import { findAccounts } from '#features/people/access/index.ts';
import { controllersOf, readControls, roleGiversOf } from '#features/people/account-control/index.ts';
import type { Actor } from '#kernel/actor.ts';
import type { Db } from '#storage/tx.ts';

/** For this time before a request, control of an account counts. In milliseconds. */
const countsForMs = 7 * 24 * 60 * 60 * 1000;

/** A change that a second person has to approve. */
export interface Requested {
  readonly by: Actor;
  /** The time of the request, in milliseconds UTC. */
  readonly at: number;
}

/** Returns why the approver does not count at a time, in milliseconds UTC; undefined when the approver does. */
type Check = (requested: Requested, until: number) => string | undefined;

/** Returns what {@link secondPersonCheck} returns for one change. */
export async function secondPersonProblem(
  db: Db,
  approver: Actor,
  requested: Requested,
  until: number,
): Promise<string | undefined> {
  return (await secondPersonCheck(db, approver, [requested]))(requested, until);
}

/**
 * Returns a check whether an approver counts as a second person for these changes, with two statements. Only users
 * count, and neither a user who controls the account of the author nor one whose account the author controls: between 7
 * days before the request and the approval, one made the other's account or set its password, e-mail address or login,
 * also through further accounts. An account whose person signed up in that time never counts, because its person is
 * not known. Nor does a user count who may approve only since the author, or an account that the author controls,
 * gave a role after the request.
 */
export async function secondPersonCheck(db: Db, approver: Actor, requested: readonly Requested[]): Promise<Check> {
  if (requested.length === 0) return () => undefined;
  const earliest = requested.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const [problem, controls] = await Promise.all([notAPerson(db, approver), readControls(db, earliest - countsForMs)]);
  if (problem !== undefined) return () => problem;
  return ({ by, at }, until) => {
    const period = { since: at - countsForMs, until };
    const ofApprover = controllersOf(controls, approver.userId, period);
    if (ofApprover.has(by.userId)) return linked(by.name, approver.name);
    if (controllersOf(controls, by.userId, period).has(approver.userId)) return linked(approver.name, by.name);
    const givers = roleGiversOf(controls, approver.userId, { since: at, until });
    if (givers.some((giver) => giver === by.userId || controllersOf(controls, giver, period).has(by.userId)))
      return `${by.name} gave ${approver.name} the right to approve after the request. Another person must approve it.`;
    if (ofApprover.has(null))
      return `${approver.name} signed up less than 7 days before the request, or after it. Another person must approve it.`;
    return undefined;
  };
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
