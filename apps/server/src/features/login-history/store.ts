import { systemActor } from '../../kernel/actor.ts';
import type { Database } from '../../storage/database.ts';
import type { Db, Tx } from '../../storage/tx.ts';

export interface LoginAttempt {
  /** What was given for the user name. */
  readonly username: string;
  readonly authType: 'simple' | 'oidc';
  /** Where it came from. */
  readonly ip: string;
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

/** Notes a login that was refused. `reason` is for administrators. */
export async function noteFailedLogin(
  { writeQuietly }: Pick<Database, 'writeQuietly'>,
  attempt: LoginAttempt,
  requestId: string,
  reason: string,
): Promise<void> {
  await writeQuietly('sessions', { actor: systemActor, cause: { requestId } }, (tx) => insert(tx, attempt, reason));
}

async function insert(tx: Tx, { username, authType, ip }: LoginAttempt, reason: string | null): Promise<void> {
  await tx.db
    .insertInto('login_history')
    .values({
      username: oneLine(username, longestName),
      auth_type: authType,
      created_at: tx.now,
      successful: reason === null ? 1 : 0,
      ip: ip === '' ? null : ip,
      failure_reason: reason === null ? null : oneLine(reason, longestReason),
    })
    .execute();
}

/** The newest `limit` of those with an id below `before`. */
export async function listLogins(db: Db, limit: number, before: number | undefined) {
  let query = db.selectFrom('login_history').selectAll().orderBy('id', 'desc').limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.execute();
}
