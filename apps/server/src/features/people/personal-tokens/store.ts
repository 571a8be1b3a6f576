import { type Account, accountColumns, toAccount } from '#features/people/access/index.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { PersonalToken } from './personal-token.ts';

const columns = ['id', 'user_id', 'description', 'created_at', 'expires_at', 'seen_at'] as const;

/** Returns the tokens of an account, the oldest first. */
export async function listTokens(db: Db, ownerId: number): Promise<PersonalToken[]> {
  const rows = await db
    .selectFrom('personal_tokens')
    .select(columns)
    .where('user_id', '=', ownerId)
    .orderBy('id')
    .execute();
  return rows.map(toToken);
}

/** Returns the tokens of all accounts of a kind, the oldest first. */
export async function listTokensOfKind(db: Db, kind: Account['kind']): Promise<PersonalToken[]> {
  const rows = await db
    .selectFrom('personal_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id', 't.user_id', 't.description', 't.created_at', 't.expires_at', 't.seen_at'])
    .where('u.kind', '=', kind)
    .orderBy('t.id')
    .execute();
  return rows.map(toToken);
}

/** A token with the account it belongs to. */
export interface OwnedToken {
  readonly token: PersonalToken;
  readonly owner: Account;
  /** The name of the actor who created it; null when it was not stored. */
  readonly createdBy: string | null;
}

/** Returns the tokens of all accounts with their owners, the oldest first, in one statement. */
export async function listTokensOfAll(db: Db): Promise<OwnedToken[]> {
  return (await owned(db).orderBy('t.id').execute()).map(toOwned);
}

/** Returns the token with an id, and the account it belongs to. */
export async function findOwnedToken(db: Db, id: number): Promise<OwnedToken | undefined> {
  const row = await owned(db).where('t.id', '=', id).executeTakeFirst();
  return row && toOwned(row);
}

function owned(db: Db) {
  return db
    .selectFrom('personal_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select([
      't.id',
      't.user_id',
      't.description',
      't.created_at',
      't.expires_at',
      't.seen_at',
      't.created_by',
      ...accountColumns,
    ]);
}

type OwnedRow = Awaited<ReturnType<ReturnType<typeof owned>['execute']>>[number];

function toOwned(row: OwnedRow): OwnedToken {
  return { token: toToken(row), owner: toAccount(row), createdBy: row.created_by };
}

/** Returns the token with the hash of a secret, and the account it belongs to. */
export async function findTokenOwner(
  db: Db,
  secretHash: string,
): Promise<{ tokenId: number; expiresAt: number; account: Account } | undefined> {
  const row = await db
    .selectFrom('personal_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .select(['t.id as token_id', 't.expires_at', ...accountColumns])
    .where('t.secret_hash', '=', secretHash)
    .executeTakeFirst();
  return row && { tokenId: row.token_id, expiresAt: row.expires_at, account: toAccount(row) };
}

export async function insertToken(
  tx: Tx,
  token: Pick<PersonalToken, 'ownerId' | 'description' | 'expiresAt'>,
  secretHash: string,
): Promise<PersonalToken> {
  const row = await tx.db
    .insertInto('personal_tokens')
    .values({
      user_id: token.ownerId,
      description: token.description,
      secret_hash: secretHash,
      created_at: tx.now,
      expires_at: token.expiresAt,
      seen_at: null,
      created_by: tx.by.actor.name,
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  return toToken(row);
}

export async function deleteTokenRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('personal_tokens').where('id', '=', id).execute();
}

function toToken(row: Pick<Row<'personal_tokens'>, (typeof columns)[number]>): PersonalToken {
  return {
    id: row.id,
    ownerId: row.user_id,
    description: row.description,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    seenAt: row.seen_at,
  };
}
