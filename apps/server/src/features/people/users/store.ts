import { type Account, accountColumns, adminRoleId, toAccount } from '#features/people/access/index.ts';
import { foldCase } from '#kernel/fold-case.ts';
import { containsText } from '#storage/event-text-search.ts';
import { type Condition, type Db, sql, type Tx } from '#storage/tx.ts';

/** A user with the hash of the password. The hash is not part of `Account`, so that it cannot leak into an answer. */
export interface Credentials {
  readonly account: Account;
  readonly passwordHash: string | null;
}

/** Finds a user by user name, or else by e-mail address (docs/spec#password-login). */
export async function findCredentials(db: Db, username: string): Promise<Credentials | undefined> {
  const rows = await db
    .selectFrom('users as u')
    .select([...accountColumns, 'u.password_hash'])
    .where('u.kind', '=', 'user')
    .where((eb) => eb.or([eb('u.username', '=', username), eb('u.email', '=', foldCase(username))]))
    .execute();
  const row = rows.find((candidate) => candidate.username === username) ?? rows[0];
  return row && { account: toAccount(row), passwordHash: row.password_hash };
}

export async function findPasswordHash(db: Db, userId: number): Promise<string | null> {
  const row = await db.selectFrom('users').select('password_hash').where('id', '=', userId).executeTakeFirst();
  return row?.password_hash ?? null;
}

/** Stores a password hash and resets the count of failed logins. */
export async function setPasswordHash(tx: Tx, userId: number, passwordHash: string): Promise<void> {
  await tx.db
    .updateTable('users')
    .set({ password_hash: passwordHash, login_attempts: 0 })
    .where('id', '=', userId)
    .execute();
}

export async function resetFailedLogins(tx: Tx, userId: number): Promise<void> {
  await tx.db.updateTable('users').set({ login_attempts: 0 }).where('id', '=', userId).execute();
}

/** The number of administrators by how they log in. */
export interface AdminCounts {
  /** Users who can log in with a password. */
  readonly password: number;
  readonly noPassword: number;
  /** Service accounts, which log in with tokens. */
  readonly service: number;
}

export async function countAdmins(db: Db): Promise<AdminCounts> {
  const rows = await db
    .selectFrom('users')
    .select((eb) => [
      'kind',
      eb.fn.countAll<number>().as('all'),
      eb.fn.count<number>('password_hash').as('with_password'),
    ])
    .where('root_role_id', '=', adminRoleId)
    .groupBy('kind')
    .execute();
  const people = rows.find((row) => row.kind === 'user') ?? { all: 0, with_password: 0 };
  return {
    password: people.with_password,
    noPassword: people.all - people.with_password,
    service: rows.find((row) => row.kind === 'service-account')?.all ?? 0,
  };
}

/** Counts the administrators with an e-mail address, by which single sign-on identifies users. */
export async function countAdminsWithEmail(db: Db): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select((eb) => eb.fn.count<number>('email').as('n'))
    .where('root_role_id', '=', adminRoleId)
    .where('kind', '=', 'user')
    .executeTakeFirstOrThrow();
  return row.n;
}

export async function anyUserExists(db: Db): Promise<boolean> {
  const row = await db.selectFrom('users').select('id').where('kind', '=', 'user').limit(1).executeTakeFirst();
  return row !== undefined;
}

/**
 * Returns the first `limit` users whose name, user name or e-mail address contains `words`, without regard to case.
 */
export async function searchUsers(db: Db, words: string, limit: number): Promise<Account[]> {
  const holds = (column: string): Condition => containsText(sql`coalesce(${sql.ref(column)}, '')`, words);
  const rows = await db
    .selectFrom('users as u')
    .select(accountColumns)
    .where('u.kind', '=', 'user')
    .where((eb) => eb.or([holds('u.name'), holds('u.username'), holds('u.email')]))
    .orderBy('u.id')
    .limit(limit)
    .execute();
  return rows.map(toAccount);
}

/** Returns the names of the groups of an account. */
export async function groupNamesOf(db: Db, accountId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('group_users as m')
    .innerJoin('user_groups as g', 'g.id', 'm.group_id')
    .select('g.name')
    .where('m.user_id', '=', accountId)
    .orderBy('g.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Returns the ids of the root roles that an account has through its groups. */
export async function groupRootRolesOf(db: Db, accountId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('group_users as m')
    .innerJoin('user_groups as g', 'g.id', 'm.group_id')
    .select('g.root_role_id')
    .where('m.user_id', '=', accountId)
    .execute();
  return rows.flatMap((row) => row.root_role_id ?? []);
}

/** Returns the ids of all projects. */
export async function projectIds(db: Db): Promise<string[]> {
  return (await db.selectFrom('projects').select('id').orderBy('id').execute()).map(({ id }) => id);
}
