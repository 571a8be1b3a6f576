import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Account } from './account.ts';

/** The columns of `users as u` that make an {@link Account}, aliased so that they do not clash with joined tables. */
export const accountColumns = [
  'u.id as account_id',
  'u.kind',
  'u.username',
  'u.email',
  'u.name as account_name',
  'u.root_role_id',
  'u.login_attempts',
  'u.seen_at as account_seen_at',
  'u.created_at as account_created_at',
] as const;

type UserRow = Row<'users'>;

export type AccountRow = Pick<UserRow, 'kind' | 'username' | 'email' | 'root_role_id' | 'login_attempts'> & {
  account_id: UserRow['id'];
  account_name: UserRow['name'];
  account_seen_at: UserRow['seen_at'];
  account_created_at: UserRow['created_at'];
};

export function toAccount(row: AccountRow): Account {
  return {
    id: row.account_id,
    kind: row.kind,
    username: row.username,
    email: row.email,
    name: row.account_name,
    rootRole: row.root_role_id,
    loginAttempts: row.login_attempts,
    seenAt: row.account_seen_at,
    createdAt: row.account_created_at,
  };
}

/** Returns all accounts of a kind, the oldest first. */
export async function listAccounts(db: Db, kind: Account['kind']): Promise<Account[]> {
  const rows = await db
    .selectFrom('users as u')
    .select(accountColumns)
    .where('u.kind', '=', kind)
    .orderBy('u.id')
    .execute();
  return rows.map(toAccount);
}

export async function findAccount(db: Db, kind: Account['kind'], id: number): Promise<Account | undefined> {
  const row = await db
    .selectFrom('users as u')
    .select(accountColumns)
    .where('u.id', '=', id)
    .where('u.kind', '=', kind)
    .executeTakeFirst();
  return row && toAccount(row);
}

/** Returns the user with an e-mail address, which must be in lower case. */
export async function findPersonByEmail(db: Db, email: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom('users as u')
    .select(accountColumns)
    .where('u.email', '=', email)
    .where('u.kind', '=', 'user')
    .executeTakeFirst();
  return row && toAccount(row);
}

/**
 * Returns a user or service account, other than `exceptId`, whose user name or e-mail address is in `names`. An address
 * in lower case stands for any case: addresses are stored so, but user names as they were written.
 */
export async function findAccountNamed(
  db: Db,
  names: readonly string[],
  exceptId?: number,
): Promise<Account | undefined> {
  const addresses = names.filter((name) => name.includes('@'));
  let query = db
    .selectFrom('users as u')
    .select(accountColumns)
    .where((eb) =>
      eb.or([
        eb('u.username', 'in', names),
        ...(addresses.length === 0 ? [] : [eb(eb.fn<string>('lower', ['u.username']), 'in', addresses)]),
        eb('u.email', 'in', names),
      ]),
    );
  if (exceptId !== undefined) query = query.where('u.id', '!=', exceptId);
  const row = await query.limit(1).executeTakeFirst();
  return row && toAccount(row);
}

export type NewAccount = Pick<Account, 'kind' | 'username' | 'email' | 'name' | 'rootRole'>;

/** Inserts an account. `passwordHash` is null for an account that cannot log in with a password. */
export async function insertAccount(tx: Tx, account: NewAccount, passwordHash: string | null): Promise<Account> {
  const { id } = await tx.db
    .insertInto('users')
    .values({
      kind: account.kind,
      username: account.username,
      email: account.email,
      name: account.name,
      root_role_id: account.rootRole,
      password_hash: passwordHash,
      login_attempts: 0,
      seen_at: null,
      created_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...account, id, loginAttempts: 0, seenAt: null, createdAt: tx.now };
}

export async function updateAccountRow(tx: Tx, account: Account): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ name: account.name, email: account.email, root_role_id: account.rootRole })
    .where('id', '=', account.id)
    .execute();
}

/** Deletes an account with its sessions and tokens (foreign keys cascade). */
export async function deleteAccountRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('users').where('id', '=', id).execute();
}

/** Returns the ids that belong to no account. */
export async function unknownAccounts(db: Db, ids: readonly number[]): Promise<number[]> {
  // PostgreSQL rejects an empty IN list.
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('users').select('id').where('id', 'in', ids).execute();
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

const selectAccounts = prepared<{ ids: readonly number[] }>().query((db, { ids }) =>
  db.selectFrom('users as u').select(accountColumns).where('u.id', 'in', ids).orderBy('u.id'),
);

/** Returns the accounts with these ids, the oldest first. */
export async function findAccounts(db: Db, ids: readonly number[]): Promise<Account[]> {
  if (ids.length === 0) return [];
  return (await selectAccounts(db, { ids })).map(toAccount);
}
