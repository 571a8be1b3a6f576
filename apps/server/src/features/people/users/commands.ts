import {
  type Account,
  accountEventData,
  adminRoleId,
  deleteAccountRow,
  findAccount,
  findAccountNamed,
  insertAccount,
  requireDistinctName,
  requireRootRole,
  updateAccountRow,
} from '#features/people/access/index.ts';
import { recordControl } from '#features/people/account-control/index.ts';
import { readPasswordSettings } from '#features/people/auth-settings/index.ts';
import { clearLoginFailuresOfUser } from '#features/people/login-history/index.ts';
import { deleteToken, listTokens } from '#features/people/personal-tokens/index.ts';
import { endSessions } from '#features/people/sessions/index.ts';
import { Problem } from '#kernel/errors.ts';
import { foldCase } from '#kernel/fold-case.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { addToPasswordHistory } from './password-history.ts';
import { endPasswordLinks } from './password-link.ts';
import { countAdmins, countAdminsWithEmail, findCredentials, findPasswordHash, setPasswordHash } from './store.ts';

export interface NewUser {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly rootRole: number | string;
}

/**
 * Creates a user. Rejects with 400 for an unknown role, and when a name or e-mail address is taken or looks like a
 * taken one.
 */
export async function createUser(tx: Tx, input: NewUser, passwordHash: string | null): Promise<Account> {
  const role = await requireRootRole(tx.db, input.rootRole);
  await requireFree(tx.db, 'username', input.username);
  await requireFree(tx.db, 'email', input.email);
  if (input.username !== undefined) await requireDistinctName(tx.db, input.username);
  const user = await insertAccount(
    tx,
    {
      kind: 'user',
      username: input.username ?? null,
      email: input.email ?? null,
      name: input.name ?? null,
      rootRole: role.id,
    },
    passwordHash,
  );
  if (passwordHash !== null) await addToPasswordHistory(tx, user.id, passwordHash);
  await recordControl(tx, user.id, 'created');
  tx.record({ type: 'user-created', data: accountEventData(user) });
  return user;
}

export interface UserChanges {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly rootRole?: number | string | undefined;
}

/**
 * Updates the given fields of a user. Records an event only when a field changes. A new e-mail address ends the
 * password links, which may have been sent to the old one.
 */
export async function updateUser(tx: Tx, id: number, input: UserChanges): Promise<Account> {
  const before = await requireUser(tx.db, id);
  const rootRole = input.rootRole === undefined ? before.rootRole : (await requireRootRole(tx.db, input.rootRole)).id;
  const after: Account = { ...before, name: input.name ?? before.name, email: input.email ?? before.email, rootRole };
  const [preData, data] = [accountEventData(before), accountEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  if (after.email !== before.email) await requireFree(tx.db, 'email', input.email, id);
  if (rootRole !== adminRoleId) await requireOtherAdmin(tx.db, before, 'lose that role');
  await updateAccountRow(tx, after);
  if (after.email !== before.email) {
    await endPasswordLinks(tx, id);
    await recordControl(tx, id, 'email');
  }
  tx.record({ type: 'user-updated', preData, data });
  return after;
}

/** Deletes a user with their sessions and tokens. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  const user = await requireUser(tx.db, id);
  if (tx.by.actor.userId === id)
    throw new Problem('OperationDeniedError', 'You cannot delete your own account. Ask another administrator.');
  await requireOtherAdmin(tx.db, user, 'be deleted');
  await deleteAccountRow(tx, id);
  tx.record({ type: 'user-deleted', preData: accountEventData(user) });
}

export interface PasswordChange {
  /** The id of the session that stays open; null to end all sessions of the user. */
  readonly keepSession: number | null;
  /** Whether the user's personal tokens are deleted as well. */
  readonly revokeTokens: boolean | undefined;
  /** The link with which the password is set. */
  readonly link?: { readonly createdBy: string; readonly createdByUserId: number | null };
}

/**
 * Sets a password, ends the user's sessions and password links, and deletes the personal tokens when `revokeTokens` is
 * true. The event records that the password changed, never the password.
 */
export async function setPassword(tx: Tx, id: number, passwordHash: string, change: PasswordChange): Promise<void> {
  const user = await requireUser(tx.db, id);
  await setPasswordHash(tx, id, passwordHash);
  await addToPasswordHistory(tx, id, passwordHash);
  await endPasswordLinks(tx, id);
  await endSessions(tx, id, change.keepSession, 'password changed');
  await clearLoginFailuresOfUser(tx, user);
  if (change.link === undefined) await recordControl(tx, id, 'password');
  else await recordControl(tx, id, 'password-link', change.link.createdByUserId);
  const data = accountEventData(user);
  const changed = {
    passwordChanged: true,
    ...(change.link === undefined ? {} : { passwordLinkBy: change.link.createdBy }),
  };
  tx.record({ type: 'user-updated', preData: data, data: { ...data, ...changed } });
  if (change.revokeTokens === true) await deleteTokens(tx, id);
}

/** Deletes the personal tokens of a user, each with an event. */
export async function deleteTokens(tx: Tx, id: number): Promise<void> {
  for (const token of await listTokens(tx.db, id)) await deleteToken(tx, id, token.id, 'pat-deleted');
}

/** Returns the user. Rejects with 404 when there is none with this id. */
export async function requireUser(db: Db, id: number): Promise<Account> {
  const user = await findAccount(db, 'user', id);
  if (user === undefined) throw new Problem('NotFoundError', `There is no user ${id}.`);
  return user;
}

/** Returns the user with an e-mail address. Rejects with 404 when there is none. */
export async function requireUserByEmail(db: Db, email: string): Promise<Account> {
  const account = (await findCredentials(db, email))?.account;
  if (account?.email !== email) throw new Problem('NotFoundError', `There is no user with the address ${email}.`);
  return account;
}

/**
 * Rejects with 400 when another account has the value as its user name or e-mail address. Users log in with either, so
 * both share one namespace.
 */
async function requireFree(
  db: Db,
  field: 'username' | 'email',
  value: string | undefined,
  ownId?: number,
): Promise<void> {
  if (value === undefined || (await findAccountNamed(db, [value, foldCase(value)], ownId)) === undefined) return;
  throw new Problem('BadDataError', `A user with the ${field} ${value} exists already. Choose another.`, {
    details: [{ message: 'is taken', path: field }],
  });
}

/**
 * Rejects with 403 when `user` is the last administrator with a password, with an e-mail address when passwords are
 * disabled, or with either when none has a password. `happening` completes "cannot …" in the error.
 */
async function requireOtherAdmin(db: Db, user: Account, happening: string): Promise<void> {
  if (user.rootRole !== adminRoleId) return;
  const { disabled: byProvider } = await readPasswordSettings(db);
  const passwords = byProvider ? 0 : (await countAdmins(db)).password;
  const hasPassword = !byProvider && (await findPasswordHash(db, user.id)) !== null;
  // Single sign-on identifies users by their e-mail address.
  const hasEmail = user.email !== null;
  const isLast = hasPassword ? passwords <= 1 : hasEmail && passwords === 0 && (await countAdminsWithEmail(db)) <= 1;
  if (!isLast) return;
  const either = hasPassword ? 'with a password' : 'with a password or an e-mail address';
  const how = byProvider ? 'with an e-mail address' : either;
  throw new Problem(
    'OperationDeniedError',
    `The last administrator who can log in cannot ${happening}. Make another user an administrator, ${how}, first.`,
  );
}
