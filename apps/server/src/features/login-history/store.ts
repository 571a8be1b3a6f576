import { systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import type { Db, Tx } from '../../storage/tx.ts';

export interface LoginAttempt {
  /** What was given for the user name. */
  readonly username: string;
  readonly authType: 'simple' | 'oidc';
  /** Where it came from. */
  readonly ip: string;
  /** Whose login it is; undefined when the name is nobody's. */
  readonly userId: number | undefined;
}

/** What is given for a user name, and what a provider says, may be anything. No user name is longer. */
const longestName = 255;
const longestReason = 1000;

function oneLine(text: string, longest: number): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, '')
    .slice(0, longest)
    .toWellFormed();
}

/** Notes a login, in the change that begins its session. */
export async function noteLogin(tx: Tx, attempt: LoginAttempt): Promise<void> {
  await insert(tx, attempt, null);
}

/** Notes a login that was refused. `reason` is for administrators. `also` runs in the same change. */
export async function noteFailedLogin(
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

/** The newest `limit` of those with an id below `before`. */
export async function listLogins(db: Db, limit: number, before: number | undefined) {
  let query = db.selectFrom('login_history').selectAll().orderBy('id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.execute();
}

/** The newest `limit` logins of a user, those that failed too. */
export async function listLoginsOf(db: Db, userId: number, limit: number) {
  return db
    .selectFrom('login_history')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** More failures are not counted. */
const mostCounted = 1000;

/** When a user last logged in, and how many logins have failed since, at most 1000. */
export async function sinceLastLogin(db: Db, userId: number): Promise<{ lastLoginAt: number | null; failed: number }> {
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
