import type { loginHistoryRoutes } from '@yardarm/contract';
import type { Handlers } from '#http/handler.ts';
import { isoTime } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { listLogins, listLoginsOf } from './store.ts';

const defaultLimit = 1000;
/** The number of own logins that a user sees. */
const ownLimit = 20;

type LoginRow = Awaited<ReturnType<typeof listLogins>>[number];

export function loginHistoryHandlers({ db }: Database): Handlers<typeof loginHistoryRoutes> {
  return {
    'GET /api/admin/logins': async ({ query }) => {
      const rows = await listLogins(db, query.limit ?? defaultLimit, query.before);
      return { body: { events: rows.map(present) } };
    },
    'GET /api/admin/user/logins': async ({ caller }) => {
      if (caller.kind !== 'user')
        throw new Problem('OperationDeniedError', 'Only users have a login history. Log in as a user.');
      const rows = await listLoginsOf(db, caller.actor.userId, ownLimit);
      return { body: { events: rows.map(present) } };
    },
  };
}

function present(row: LoginRow) {
  return {
    id: row.id,
    username: row.username,
    auth_type: row.auth_type,
    created_at: isoTime(row.created_at),
    successful: row.successful === 1,
    ip: row.ip,
    failure_reason: row.failure_reason,
  };
}
