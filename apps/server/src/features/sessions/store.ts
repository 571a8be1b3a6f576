import { type Condition, type Db, sql, type Tx } from '../../storage/tx.ts';
import { accountColumns, type OpenSession, toAccount } from '../access/index.ts';

/** What makes a session open: its time is not over, and it has been used. Times in milliseconds. */
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

/** The session with that secret and when it was last used, unless its time is over at `now`. */
export async function findSession(
  db: Db,
  secretHash: string,
  now: number,
): Promise<{ session: OpenSession; usedAt: number } | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users as u', 'u.id', 'sessions.user_id')
    .select(['sessions.id as session_id', lastUse.as('used_at'), ...accountColumns])
    .where('sessions.secret_hash', '=', secretHash)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst();
  return row && { session: { id: row.session_id, account: toAccount(row) }, usedAt: row.used_at };
}

/** How many open sessions each user has, or that one user, by the user's id. */
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
  /** Null when it was never noted. */
  readonly seenAt: number | null;
  readonly device: string | null;
  readonly address: string | null;
}

/** The open sessions of a user, newest first. */
export async function listSessions(db: Db, at: OpenAt, userId: number): Promise<ListedSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at as createdAt', 'expires_at as expiresAt', 'seen_at as seenAt', 'device', 'address'])
    .where('user_id', '=', userId)
    .where(isOpen(at))
    .orderBy('id', 'desc')
    .execute();
}

/** Deletes a session of the user; answers whether there was such a one that was open. */
export async function endSession(tx: Tx, at: OpenAt, userId: number, id: number): Promise<boolean> {
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

export async function insertSession(tx: Tx, session: SessionRow): Promise<void> {
  await tx.db
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
    .execute();
}

export async function findIdToken(db: Db, id: number): Promise<string | null> {
  const row = await db.selectFrom('sessions').select('id_token').where('id', '=', id).executeTakeFirst();
  return row?.id_token ?? null;
}

/** Deletes the user's oldest sessions until at most `keep` are left, and answers how many it deleted. */
export async function endOldest(tx: Tx, userId: number, keep: number): Promise<number> {
  const oneTooMany = await tx.db
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(keep)
    .executeTakeFirst();
  if (oneTooMany === undefined) return 0;
  const { numDeletedRows } = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '<=', oneTooMany.id)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/** An idle session is kept this long, in milliseconds: that it is in use is written some seconds later. */
const graceMs = 3_600_000;

/** Deletes sessions of all users that have ended. */
export async function forgetEnded(tx: Tx, { now, idleSince }: OpenAt): Promise<void> {
  await tx.db.deleteFrom('sessions').where('expires_at', '<=', now).execute();
  if (idleSince === null) return;
  const idle: Condition = sql<boolean>`${lastUse} <= ${idleSince - graceMs}`;
  await tx.db.deleteFrom('sessions').where(idle).execute();
}

/** Deletes the sessions of a user, but for the one whose id is `except`. */
export async function endSessions(tx: Tx, userId: number, except: number | null): Promise<void> {
  let query = tx.db.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  await query.execute();
}
