import type { inactiveUserRoutes } from '@yardarm/contract';
import { type Account, accountColumns, toAccount } from '#features/people/access/index.ts';
import type { Handlers } from '#http/handler.ts';
import { type Clock, isoTime, isoTimeOrNull } from '#kernel/clock.ts';
import { badField } from '#kernel/errors.ts';
import type { Database } from '#storage/database.ts';
import { type Condition, type Db, sql } from '#storage/tx.ts';
import { deleteUser } from './commands.ts';

const dayMs = 24 * 60 * 60 * 1000;

/** Serves the list and the deletion of users who have neither logged in nor used a token for `days`. */
export function inactiveUserHandlers(
  { db, write }: Database,
  clock: Clock,
  days: number,
): Handlers<typeof inactiveUserRoutes> {
  const since = (now: number) => now - days * dayMs;
  return {
    'GET /api/admin/user-admin/inactive': async () => {
      const inactiveUsers = await listInactiveUsers(db, since(clock.now()));
      return { body: { version: 1, inactiveUsers: inactiveUsers.map(present) } };
    },
    'POST /api/admin/user-admin/inactive/delete': async ({ body, author }) =>
      write(author, async (tx) => {
        const unseen = new Set((await listInactiveUsers(tx.db, since(tx.now))).map(({ account }) => account.id));
        const active = body.ids.filter((id) => !unseen.has(id));
        if (active.length > 0)
          throw badField('ids', `contains ids of no inactive user: ${active.slice(0, 20).join(', ')}`);
        for (const id of new Set(body.ids)) await deleteUser(tx, id);
      }),
  };
}

interface InactiveUser {
  readonly account: Account;
  readonly tokenSeenAt: number | null;
}

/** Lists users not seen since a time. The use of a personal token also updates the user's `seen_at`. */
async function listInactiveUsers(db: Db, since: number): Promise<InactiveUser[]> {
  const notSeen: Condition = sql<boolean>`coalesce(u.seen_at, u.created_at) < ${since}`;
  const rows = await db
    .selectFrom('users as u')
    .select([
      ...accountColumns,
      (eb) =>
        eb
          .selectFrom('personal_tokens as t')
          .select((of) => of.fn.max('t.seen_at').as('at'))
          .whereRef('t.user_id', '=', 'u.id')
          .as('token_seen_at'),
    ])
    .where('u.kind', '=', 'user')
    .where(notSeen)
    .orderBy('u.id')
    .execute();
  return rows.map((row) => ({ account: toAccount(row), tokenSeenAt: row.token_seen_at }));
}

function present({ account, tokenSeenAt }: InactiveUser) {
  const { id, name, email, username, seenAt, createdAt } = account;
  return {
    id,
    name,
    ...(email === null ? {} : { email }),
    username,
    seenAt: isoTimeOrNull(seenAt),
    createdAt: isoTime(createdAt),
    patSeenAt: isoTimeOrNull(tokenSeenAt),
  };
}
