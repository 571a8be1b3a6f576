import type { sessionRoutes } from '@yardarm/contract';
import { findAccount } from '#features/people/access/index.ts';
import type { Handlers } from '#http/handler.ts';
import type { Author } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { type Clock, isoTime } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';
import { endSession, endSessions } from './commands.ts';
import type { Sessions } from './sessions.ts';
import { type ListedSession, listSessions } from './store.ts';

interface ListRequest {
  readonly author: Author;
  readonly caller: Identity;
}

/** Serves the list and the end of sessions: to users for their own, to administrators for every user. */
export function sessionHandlers(
  { db, write }: Database,
  sessions: Sessions,
  clock: Clock,
): Handlers<typeof sessionRoutes> {
  const list = async ({ caller }: ListRequest, userId: number) => {
    const now = clock.now();
    const listed = await listSessions(db, sessions.openAt(now), userId);
    const shown = listed.map((session) => present(session, caller.sessionId, now, sessions));
    return { body: { sessions: shown } };
  };
  const end = async ({ author }: ListRequest, userId: number, id: number, missing: string) => {
    const ended = await write(author, (tx) => endSession(tx, sessions.openAt(tx.now), userId, id));
    if (!ended) throw new Problem('NotFoundError', missing);
  };
  const endOtherSessions = async ({ author, caller }: ListRequest, userId: number) => {
    await write(author, (tx) => endSessions(tx, userId, caller.sessionId));
  };
  return {
    'GET /api/admin/user/sessions': async (input) => list(input, userIdOf(input.caller)),
    'DELETE /api/admin/user/sessions': async (input) => endOtherSessions(input, userIdOf(input.caller)),
    'DELETE /api/admin/user/sessions/:id': async (input) =>
      end(input, userIdOf(input.caller), input.params.id, `You have no open session ${input.params.id}.`),
    'GET /api/admin/user-admin/:id/sessions': async (input) => list(input, await requireUserId(db, input.params.id)),
    'DELETE /api/admin/user-admin/:id/sessions': async (input) =>
      endOtherSessions(input, await requireUserId(db, input.params.id)),
    'DELETE /api/admin/user-admin/:id/sessions/:sessionId': async (input) => {
      const { id, sessionId } = input.params;
      return end(input, await requireUserId(db, id), sessionId, `User ${id} has no open session ${sessionId}.`);
    },
  };
}

/** Returns a session as the API shows it. The caller's own session was last used now, others at the stored time. */
function present(session: ListedSession, callerSessionId: number | null, now: number, sessions: Sessions) {
  const { id, createdAt, device, address } = session;
  const current = id === callerSessionId;
  const usedAt = current ? now : (session.seenAt ?? createdAt);
  return {
    id,
    device,
    address,
    createdAt: isoTime(createdAt),
    seenAt: isoTime(usedAt),
    expiresAt: isoTime(sessions.endOf(session.expiresAt, usedAt)),
    current,
  };
}

function userIdOf(caller: Identity): number {
  if (caller.kind === 'user') return caller.actor.userId;
  throw new Problem('OperationDeniedError', 'Only users have sessions. Log in as a user.');
}

/** Returns the id. Rejects with 404 when no user has it. */
async function requireUserId(db: Db, id: number): Promise<number> {
  if ((await findAccount(db, 'user', id)) === undefined) throw new Problem('NotFoundError', `There is no user ${id}.`);
  return id;
}
