import { Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
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
} from '../access/index.ts';
import { readPasswordSettings } from '../auth-settings/index.ts';
import { forgetFailuresOfUser } from '../login-history/index.ts';
import { deleteToken, listTokens } from '../personal-tokens/index.ts';
import { endSessions } from '../sessions/index.ts';
import { endPasswordLinks } from './password-link.ts';
import { countAdmins, countAdminsWithEmail, findCredentials, findPasswordHash, setPasswordHash } from './store.ts';
import { rememberPassword } from './used-passwords.ts';

export interface NewUser {
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  readonly rootRole: number | string;
}

/** Creates a user. 400 when there is no such role, when somebody has the user name or the e-mail address, or one like it. */
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
  if (passwordHash !== null) await rememberPassword(tx, user.id, passwordHash);
  tx.record({ type: 'user-created', data: accountEventData(user) });
  return user;
}

export interface UserChanges {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly rootRole?: number | string | undefined;
}

/** Changes what `input` names; the rest stays. Nothing is recorded when nothing changes. */
export async function updateUser(tx: Tx, id: number, input: UserChanges): Promise<Account> {
  const before = await requireUser(tx.db, id);
  const rootRole = input.rootRole === undefined ? before.rootRole : (await requireRootRole(tx.db, input.rootRole)).id;
  const after: Account = { ...before, name: input.name ?? before.name, email: input.email ?? before.email, rootRole };
  const [preData, data] = [accountEventData(before), accountEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return before;
  if (after.email !== before.email) await requireFree(tx.db, 'email', input.email, id);
  if (rootRole !== adminRoleId) await requireOtherAdmin(tx.db, before, 'lose that role');
  await updateAccountRow(tx, after);
  tx.record({ type: 'user-updated', preData, data });
  return after;
}

/** Deletes a user with their sessions and tokens. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  const user = await requireUser(tx.db, id);
  if (tx.by.actor.userId === id)
    throw new Problem('OperationDeniedError', 'You cannot delete yourself; another administrator can.');
  await requireOtherAdmin(tx.db, user, 'be deleted');
  await deleteAccountRow(tx, id);
  tx.record({ type: 'user-deleted', preData: accountEventData(user) });
}

export interface PasswordChange {
  /** The only session of the user that goes on; null when all end. */
  readonly keepSession: number | null;
  /** Whether the user's personal tokens are deleted as well. */
  readonly revokeTokens: boolean | undefined;
}

/**
 * Sets a password, ends the user's sessions and the links by which another password could be set, and deletes personal tokens
 * where that is asked for. The event says that the password changed, and not what it is.
 */
export async function setPassword(tx: Tx, id: number, passwordHash: string, change: PasswordChange): Promise<void> {
  const user = await requireUser(tx.db, id);
  await setPasswordHash(tx, id, passwordHash);
  await rememberPassword(tx, id, passwordHash);
  await endPasswordLinks(tx, id);
  await endSessions(tx, id, change.keepSession);
  await forgetFailuresOfUser(tx, user);
  const data = accountEventData(user);
  tx.record({ type: 'user-updated', preData: data, data: { ...data, passwordChanged: true } });
  if (change.revokeTokens === true)
    for (const token of await listTokens(tx.db, id)) await deleteToken(tx, id, token.id, 'pat-deleted');
}

/** The person, or a 404. */
export async function requireUser(db: Db, id: number): Promise<Account> {
  const user = await findAccount(db, 'user', id);
  if (user === undefined) throw new Problem('NotFoundError', `There is no user ${id}.`);
  return user;
}

/** The user with the e-mail address, or a 404. */
export async function requireUserOf(db: Db, email: string): Promise<Account> {
  const account = (await findCredentials(db, email))?.account;
  if (account?.email !== email) throw new Problem('NotFoundError', `There is no user with the address ${email}.`);
  return account;
}

/** Because one logs in with either, nobody's user name may be another's e-mail address. */
async function requireFree(
  db: Db,
  field: 'username' | 'email',
  value: string | undefined,
  ownId?: number,
): Promise<void> {
  if (value === undefined || (await findAccountNamed(db, [value, value.toLowerCase()], ownId)) === undefined) return;
  throw new Problem('BadDataError', `A user with the ${field} ${value} exists already.`, {
    details: [{ message: 'is taken', path: field }],
  });
}

/** A 403 when nobody could log in as an administrator once this one is gone. */
async function requireOtherAdmin(db: Db, user: Account, happening: string): Promise<void> {
  if (user.rootRole !== adminRoleId) return;
  // Without passwords people come in through a provider, which knows them by their e-mail address.
  const { disabled: byProvider } = await readPasswordSettings(db);
  if ((byProvider ? user.email : await findPasswordHash(db, user.id)) === null) return;
  const all = byProvider ? await countAdminsWithEmail(db) : (await countAdmins(db)).password;
  if (all > 1) return;
  const how = byProvider ? 'with an e-mail address' : 'with a password';
  throw new Problem(
    'OperationDeniedError',
    `The last administrator who can log in cannot ${happening}. Make another user an administrator, ${how}, first.`,
  );
}
