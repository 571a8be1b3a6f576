import type { loginHistoryRoutes } from '@yardarm/contract';
import type { Handlers } from '../../http/handler.ts';
import { isoTime } from '../../kernel/clock.ts';
import type { Database } from '../../storage/database.ts';
import { listLogins } from './store.ts';

const shownAtOnce = 1000;

export function loginHistoryHandlers({ db }: Database): Handlers<typeof loginHistoryRoutes> {
  return {
    'GET /api/admin/logins': async ({ query }) => {
      const rows = await listLogins(db, query.limit ?? shownAtOnce, query.before);
      const events = rows.map((row) => ({
        id: row.id,
        username: row.username,
        auth_type: row.auth_type,
        created_at: isoTime(row.created_at),
        successful: row.successful === 1,
        ip: row.ip,
        failure_reason: row.failure_reason,
      }));
      return { status: 200, body: { events } };
    },
  };
}
