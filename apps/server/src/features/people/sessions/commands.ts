import { type Account, actorOf, findAccount } from '#features/people/access/index.ts';
import type { Tx } from '#storage/tx.ts';
import * as store from './store.ts';

/** The reason why sessions ended before they expired. */
export type SessionEnd =
  | 'ended by the user'
  | 'ended by an administrator'
  | 'password changed'
  | 'account claimed by single sign-on';

/** Ends an open session of the user and records the event. Returns false when there is no such session. */
export async function endSession(tx: Tx, at: store.OpenAt, userId: number, id: number): Promise<boolean> {
  const ended = await store.deleteSession(tx, at, userId, id);
  if (ended) await recordEnd(tx, userId, [id], endedBy(tx, userId));
  return ended;
}

/** Ends the sessions of the user, except the session with the id `except`, and records the event if there were any. */
export async function endSessions(
  tx: Tx,
  userId: number,
  except: number | null,
  reason: SessionEnd = endedBy(tx, userId),
): Promise<void> {
  await recordEnd(tx, userId, await store.deleteSessions(tx, userId, except), reason);
}

/** Ends every session of an account that logs out, and records the event. */
export async function logOut(tx: Tx, account: Account): Promise<void> {
  const sessionIds = await store.deleteSessions(tx, account.id, null);
  if (sessionIds.length === 0) return;
  tx.record({ type: 'user-logged-out', data: { userId: account.id, username: actorOf(account).name, sessionIds } });
}

function endedBy(tx: Tx, userId: number): SessionEnd {
  return tx.by.actor.userId === userId ? 'ended by the user' : 'ended by an administrator';
}

async function recordEnd(tx: Tx, userId: number, sessionIds: readonly number[], reason: SessionEnd): Promise<void> {
  if (sessionIds.length === 0) return;
  const account = await findAccount(tx.db, 'user', userId);
  const username = account === undefined ? null : actorOf(account).name;
  tx.record({ type: 'session-ended', data: { userId, username, sessionIds, reason } });
}
