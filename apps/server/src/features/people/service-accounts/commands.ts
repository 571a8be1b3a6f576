import {
  type Account,
  accountEventData,
  deleteAccountRow,
  findAccount,
  findAccountNamed,
  insertAccount,
  requireDistinctName,
  requireRootRole,
  updateAccountRow,
} from '#features/people/access/index.ts';
import { recordControl } from '#features/people/account-control/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';

export interface ServiceAccountInput {
  readonly username: string;
  readonly name: string;
  readonly rootRole: number | string;
}

/**
 * Creates a service account. Rejects with 400 for an unknown role or a confusable name, and with 409 when the name is
 * taken.
 */
export async function createServiceAccount(tx: Tx, input: ServiceAccountInput): Promise<Account> {
  const role = await requireRootRole(tx.db, input.rootRole);
  if ((await findAccountNamed(tx.db, [input.username])) !== undefined) {
    throw new Problem('NameExistsError', `The user name ${input.username} is taken. Choose another.`, {
      details: [{ message: 'is taken', path: 'username' }],
    });
  }
  await requireDistinctName(tx.db, input.username);
  const account = await insertAccount(
    tx,
    { kind: 'service-account', username: input.username, email: null, name: input.name, rootRole: role.id },
    null,
  );
  await recordControl(tx, account.id, 'service-account');
  tx.record({ type: 'service-account-created', data: accountEventData(account) });
  return account;
}

/** Updates the given fields of a service account. Records an event only when a field changes. */
export async function updateServiceAccount(
  tx: Tx,
  id: number,
  input: { readonly name?: string | undefined; readonly rootRole?: number | string | undefined },
): Promise<Account> {
  const before = await requireServiceAccount(tx.db, id);
  const rootRole = input.rootRole === undefined ? before.rootRole : (await requireRootRole(tx.db, input.rootRole)).id;
  const after = { ...before, name: input.name ?? before.name, rootRole };
  if (after.name === before.name && after.rootRole === before.rootRole) return before;
  await updateAccountRow(tx, after);
  tx.record({
    type: 'service-account-updated',
    preData: accountEventData(before),
    data: accountEventData(after),
  });
  return after;
}

/** Deletes a service account with its tokens. */
export async function deleteServiceAccount(tx: Tx, id: number): Promise<void> {
  const account = await requireServiceAccount(tx.db, id);
  await deleteAccountRow(tx, id);
  tx.record({ type: 'service-account-deleted', preData: accountEventData(account) });
}

/** Returns the service account. Rejects with 404 when there is none with this id. */
export async function requireServiceAccount(db: Db, id: number): Promise<Account> {
  const account = await findAccount(db, 'service-account', id);
  if (account === undefined) throw new Problem('NotFoundError', `There is no service account ${id}.`);
  return account;
}
