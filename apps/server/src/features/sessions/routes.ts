import type { sessionRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { authorOf } from '../../http/request.ts';
import type { Identity } from '../../kernel/caller.ts';
import { type Clock, isoTime } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { endSession, listSessions } from './store.ts';

/** What people see of their own sessions, and how they end one that they left open elsewhere. */
export function sessionHandlers({ db, writeQuietly }: Database, clock: Clock): Handlers<typeof sessionRoutes> {
  return {
    'GET /api/admin/user/sessions': async ({ caller }) => {
      const sessions = await listSessions(db, clock.now(), personOf(caller));
      const shown = sessions.map(({ id, createdAt, expiresAt }) => ({
        id,
        createdAt: isoTime(createdAt),
        expiresAt: isoTime(expiresAt),
        current: id === caller.sessionId,
      }));
      return { status: 200, body: { sessions: shown } };
    },
    'DELETE /api/admin/user/sessions/:id': async ({ params, caller, request }) => {
      const userId = personOf(caller);
      const ended = await writeQuietly('sessions', authorOf(caller, request), (tx) =>
        endSession(tx, userId, params.id),
      );
      if (!ended) throw new Problem('NotFoundError', 'You have no such session.');
      return { status: 200 };
    },
  };
}

function personOf(caller: Identity): number {
  if (caller.kind === 'user') return caller.actor.userId;
  throw new Problem('OperationDeniedError', 'Only people have sessions; log in as one.');
}
