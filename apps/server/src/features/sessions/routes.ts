import type { sessionRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf, type RequestInfo } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import { type Clock, isoTime } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import type { Db } from '../../storage/tx.ts';
import { findAccount } from '../access/index.ts';
import type { Sessions } from './sessions.ts';
import { endSession, endSessions, type ListedSession, listSessions } from './store.ts';

interface Asked {
  readonly caller: Identity;
  readonly request: RequestInfo;
}

/** What people see of their own sessions, administrators of everybody's, and how they end what was left open elsewhere. */
export function sessionHandlers(
  { db, writeQuietly }: Database,
  sessions: Sessions,
  clock: Clock,
): Handlers<typeof sessionRoutes> {
  const list = async ({ caller }: Asked, userId: number) => {
    const now = clock.now();
    const listed = await listSessions(db, sessions.openAt(now), userId);
    const shown = listed.map((one) => present(one, caller.sessionId, now, sessions));
    return { status: 200 as const, body: { sessions: shown } };
  };
  const end = async ({ caller, request }: Asked, userId: number, id: number, missing: string) => {
    const ended = await writeQuietly('sessions', authorOf(caller, request), (tx) =>
      endSession(tx, sessions.openAt(tx.now), userId, id),
    );
    if (!ended) throw new Problem('NotFoundError', missing);
    return { status: 200 as const };
  };
  const endOthers = async ({ caller, request }: Asked, userId: number) => {
    await writeQuietly('sessions', authorOf(caller, request), (tx) => endSessions(tx, userId, caller.sessionId));
    return { status: 200 as const };
  };
  return {
    'GET /api/admin/user/sessions': async (asked) => list(asked, personOf(asked.caller)),
    'DELETE /api/admin/user/sessions': async (asked) => endOthers(asked, personOf(asked.caller)),
    'DELETE /api/admin/user/sessions/:id': async (asked) =>
      end(asked, personOf(asked.caller), asked.params.id, 'You have no such session.'),
    'GET /api/admin/user-admin/:id/sessions': async (asked) => list(asked, await requirePerson(db, asked.params.id)),
    'DELETE /api/admin/user-admin/:id/sessions': async (asked) =>
      endOthers(asked, await requirePerson(db, asked.params.id)),
    'DELETE /api/admin/user-admin/:id/sessions/:sessionId': async (asked) => {
      const { id, sessionId } = asked.params;
      return end(asked, await requirePerson(db, id), sessionId, `User ${id} has no such session.`);
    },
  };
}

/** When a session was used is noted some seconds later; the one that asks is in use. */
function present(session: ListedSession, asking: number | null, now: number, sessions: Sessions) {
  const { id, createdAt, device, address } = session;
  const current = id === asking;
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

function personOf(caller: Identity): number {
  if (caller.kind === 'user') return caller.actor.userId;
  throw new Problem('OperationDeniedError', 'Only people have sessions; log in as one.');
}

/** The id, or a 404 when nobody has it. */
async function requirePerson(db: Db, id: number): Promise<number> {
  if ((await findAccount(db, 'user', id)) === undefined) throw new Problem('NotFoundError', `There is no user ${id}.`);
  return id;
}
