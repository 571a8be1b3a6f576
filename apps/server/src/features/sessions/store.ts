import type { Db, Tx } from '../../storage/tx.ts';
import { accountColumns, type OpenSession, toAccount } from '../access/index.ts';

/** The session with that secret, unless it is over at `now`. */
export async function findSession(db: Db, secretHash: string, now: number): Promise<OpenSession | undefined> {
  const row = await db
    .selectFrom('sessions as s')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id as session_id', ...accountColumns])
    .where('s.secret_hash', '=', secretHash)
    .where('s.expires_at', '>', now)
    .executeTakeFirst();
  return row && { id: row.session_id, account: toAccount(row) };
}

/** How many sessions that are not over at `now` each user has, or that one user, by the user's id. */
export async function countSessions(db: Db, now: number, userId?: number): Promise<Map<number, number>> {
  let query = db
    .selectFrom('sessions')
    .select((eb) => ['user_id', eb.fn.countAll<number>().as('n')])
    .where('expires_at', '>', now)
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

/** The sessions of a user that are not over at `now`, newest first. */
export async function listSessions(db: Db, now: number, userId: number): Promise<ListedSession[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at as createdAt', 'expires_at as expiresAt', 'seen_at as seenAt', 'device', 'address'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute();
}

/** Deletes a session of the user, and tells whether there was one that was not over. */
export async function endSession(tx: Tx, userId: number, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('expires_at', '>', tx.now)
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

/** Deletes sessions of whomever that are over. */
export async function forgetExpired(tx: Tx): Promise<void> {
  await tx.db.deleteFrom('sessions').where('expires_at', '<=', tx.now).execute();
}

/** Deletes the sessions of a user, but for the one whose id is `except`. */
export async function endSessions(tx: Tx, userId: number, except: number | null): Promise<void> {
  let query = tx.db.deleteFrom('sessions').where('user_id', '=', userId);
  if (except !== null) query = query.where('id', '!=', except);
  await query.execute();
}
