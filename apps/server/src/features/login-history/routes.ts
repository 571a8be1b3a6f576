import type { loginHistoryRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { isoTime } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/errors.ts';
import type { Database } from '../../storage/database.ts';
import { listLogins, listLoginsOf } from './store.ts';

const shownAtOnce = 1000;
/** Logins that people see of their own. */
const ownShown = 20;

type LoginRow = Awaited<ReturnType<typeof listLogins>>[number];

export function loginHistoryHandlers({ db }: Database): Handlers<typeof loginHistoryRoutes> {
  return {
    'GET /api/admin/logins': async ({ query }) => {
      const rows = await listLogins(db, query.limit ?? shownAtOnce, query.before);
      return { status: 200, body: { events: rows.map(present) } };
    },
    'GET /api/admin/user/logins': async ({ caller }) => {
      if (caller.kind !== 'user') throw new Problem('OperationDeniedError', 'Only people log in. Log in as one.');
      const rows = await listLoginsOf(db, caller.actor.userId, ownShown);
      return { status: 200, body: { events: rows.map(present) } };
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
