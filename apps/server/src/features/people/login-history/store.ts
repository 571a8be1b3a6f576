import { systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import type { Db, Tx } from '#storage/tx.ts';

export interface LoginAttempt {
  /** The user name as it was entered, which may be any text. */
  readonly username: string;
  readonly authType: 'simple' | 'oidc';
  /** The client's IPv4 address or IPv6 network; empty when it is unknown. */
  readonly ip: string;
  /** The user with that name; undefined when there is none. */
  readonly userId: number | undefined;
}

/**
 * Longest stored user name and failure reason. Entered names and the texts of providers may be longer; user names are
 * not.
 */
const longestName = 255;
const longestReason = 1000;

function oneLine(text: string, longest: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, longest)
    .toWellFormed();
}

/** Records a successful login, in the write that begins its session. */
export async function recordLogin(tx: Tx, attempt: LoginAttempt): Promise<void> {
  await insert(tx, attempt, null);
}

/** Records a failed login. Administrators see the `reason`. `also` runs in the same write. */
export async function recordFailedLogin(
  { writeQuietly }: Pick<Database, 'writeQuietly'>,
  attempt: LoginAttempt,
  requestId: string,
  reason: string,
  also: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> {
  await writeQuietly('sessions', { actor: systemActor, cause: { requestId } }, async (tx) => {
    await insert(tx, attempt, reason);
    await also(tx);
  });
}

async function insert(tx: Tx, { username, authType, ip, userId }: LoginAttempt, reason: string | null): Promise<void> {
  await tx.db
    .insertInto('login_history')
    .values({
      username: oneLine(username, longestName),
      auth_type: authType,
      created_at: tx.now,
      successful: reason === null ? 1 : 0,
      ip: ip === '' ? null : ip,
      failure_reason: reason === null ? null : oneLine(reason, longestReason),
      user_id: userId ?? null,
    })
    .execute();
}

/** Returns the newest `limit` logins, or those with an id below `before` (keyset pagination). */
export async function listLogins(db: Db, limit: number, before: number | undefined) {
  let query = db.selectFrom('login_history').selectAll().orderBy('id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.execute();
}

/** Returns the newest `limit` logins of a user, including failed ones. */
export async function listLoginsOf(db: Db, userId: number, limit: number) {
  return db
    .selectFrom('login_history')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** The highest count of failures; more are not counted. */
const mostCounted = 1000;

/** Returns the time of a user's last login and the number of failed logins since, at most 1000. */
export async function loginsSinceLast(db: Db, userId: number): Promise<{ lastLoginAt: number | null; failed: number }> {
  const last = await db
    .selectFrom('login_history')
    .select(['id', 'created_at'])
    .where('user_id', '=', userId)
    .where('successful', '=', 1)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const failed = await db
    .selectFrom('login_history')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '>', last?.id ?? 0)
    .limit(mostCounted)
    .execute();
  return { lastLoginAt: last?.created_at ?? null, failed: failed.length };
}
