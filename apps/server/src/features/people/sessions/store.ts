import { type Account, accountColumns, toAccount } from '#features/people/access/index.ts';
import { type Condition, type Db, sql, type Tx } from '#storage/tx.ts';

/** The condition for a session to be open: it has not expired and was not idle too long. Times in milliseconds. */
export interface OpenAt {
  readonly now: number;
  /** Sessions that were last used at this time or before have ended; null when there is no idle timeout. */
  readonly idleSince: number | null;
}

function isOpen({ now, idleSince }: OpenAt): Condition {
  const inTime = sql<boolean>`sessions.expires_at > ${now}`;
  return idleSince === null ? inTime : sql<boolean>`(${inTime} and ${lastUse} > ${idleSince})`;
}

const lastUse = sql<number>`coalesce(sessions.seen_at, sessions.created_at)`;

/** Returns the session with a secret, with its stored times, unless it has expired at `now`. */
export async function findSession(
  db: Db,
  secretHash: string,
  now: number,
): Promise<{ id: number; account: Account; expiresAt: number; usedAt: number } | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users as u', 'u.id', 'sessions.user_id')
    .select(['sessions.id as session_id', 'sessions.expires_at', lastUse.as('used_at'), ...accountColumns])
    .where('sessions.secret_hash', '=', secretHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();
  return row && { id: row.session_id, account: toAccount(row), expiresAt: row.expires_at, usedAt: row.used_at };
}

/** Counts the open sessions by user id: of all users, or of one user. */
export async function countSessions(db: Db, at: OpenAt, userId?: number): Promise<Map<number, number>> {
  let query = db
    .selectFrom('sessions')
    .select((eb) => ['user_id', eb.fn.countAll<number>().as('n')])
    .where(isOpen(at))
    .groupBy('user_id');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return new Map((await query.execute()).map((row) => [row.user_id, row.n]));
}

/** A session as its user sees it. Times in milliseconds. */
export interface ListedSession {
  readonly id: number;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Null when no use was stored. */
  readonly seenAt: number | null;
  readonly device: string | null;
  readonly address: string | null;
}

/** Returns the open sessions of a user, newest first. */
export async function listSessions(db: Db, at: OpenAt, userId: number): Promise<ListedSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at as createdAt', 'expires_at as expiresAt', 'seen_at as seenAt', 'device', 'address'])
    .where('user_id', '=', userId)
    .where(isOpen(at))
    .orderBy('id', 'desc')
    .execute();
}

/** Deletes an open session of the user. Returns false when there is no such session. */
export async function deleteSession(tx: Tx, at: OpenAt, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where(isOpen(at))
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

export interface SessionRow {
  readonly userId: number;
  readonly secretHash: string;
  readonly expiresAt: number;
  readonly idToken: string | null;
  readonly device: string | null;
  readonly address: string | null;
}

/** Inserts a session that was used now. Returns its id. */
export async function insertSession(tx: Tx, session: SessionRow): Promise<number> {
  const { id } = await tx.db
    .insertInto('sessions')
    .values({
      user_id: session.userId,
      secret_hash: session.secretHash,
      created_at: tx.now,
      expires_at: session.expiresAt,
      id_token: session.idToken,
      device: session.device,
      address: session.address,
      seen_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function findIdToken(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom('sessions').select('id_token').where('id', '=', id).executeTakeFirst();
  return row?.id_token ?? null;
}

/** Deletes the user's oldest sessions until at most `keep` are left. Returns the ids of the deleted sessions. */
export async function deleteOldest(tx: Tx, userId: number, keep: number): Promise<number[]> {
  const firstExcess = await tx.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(keep)
    .executeTakeFirst();
  if (firstExcess === undefined) return [];
  const deleted = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<=', firstExcess.id)
    .returning('id')
    .execute();
  return idsOf(deleted);
}

/** Idle sessions are deleted after this further time, in milliseconds: their last use is stored some seconds late. */
const graceMs = 3_600_000;

/** Deletes the ended sessions of all users. */
export async function deleteEnded(tx: Tx, { now, idleSince }: OpenAt): Promise<void> {
  await tx.db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  if (idleSince === null) return;
  const idle: Condition = sql<boolean>`${lastUse} <= ${idleSince - graceMs}`;
  await tx.db.deleteFrom('sessions').where(idle).execute();
}

/** Deletes the sessions of a user, except the session with the id `except`. Returns the ids of the deleted sessions. */
export async function deleteSessions(tx: Tx, userId: number, except: number | null): Promise<number[]> {
  let query = tx.db.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  return idsOf(await query.returning('id').execute());
}

function idsOf(rows: readonly { readonly id: number }[]): number[] {
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}
