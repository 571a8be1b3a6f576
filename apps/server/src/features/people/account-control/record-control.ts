import type { Tx } from '#storage/tx.ts';

/**
 * How an account gets control of another one. `signed-up`: the person made the account, with an invite link or through
 * single sign-on. `provider`: the settings of single sign-on decide who logs in. `role`: no control of the account, but
 * of its right to approve.
 */
export type Means =
  | 'role'
  | 'created'
  | 'password'
  | 'password-link'
  | 'email'
  | 'signed-up'
  | 'provider'
  | 'service-account';

/**
 * Returns the id of the account that makes the current change. Null for the server, for initial API tokens and without
 * authentication: they belong to the operator.
 */
export function actingAccount({ by }: Pick<Tx, 'by'>): number | null {
  return by.actor.userId > 0 ? by.actor.userId : null;
}

/**
 * Records that the current actor, or the account `controller`, controls an account of someone else. A controller of
 * null is not known.
 */
export async function recordControl(tx: Tx, userId: number, means: Means, controller?: number | null): Promise<void> {
  const by = controller === undefined ? actingAccount(tx) : controller;
  if (by === userId || (by === null && means !== 'signed-up')) return;
  await insert(tx, userId, means, by);
}

/** Records that the current actor decides who logs in through single sign-on. */
export async function recordControlOfProvider(tx: Tx): Promise<void> {
  const by = actingAccount(tx);
  if (by !== null) await insert(tx, null, 'provider', by);
}

/** Records, at a login through single sign-on, that those who changed its settings control the account. */
export async function recordProviderLogin(tx: Tx, userId: number): Promise<void> {
  const known = tx.db.selectFrom('account_controllers').select('controlled_at').where('means', '=', 'provider');
  const rows = await tx.db
    .selectFrom('account_controllers')
    .select(['controller_user_id', 'means', 'controlled_at'])
    .where('user_id', 'is', null)
    .where('controller_user_id', '!=', userId)
    .where('controlled_at', 'not in', known.where('user_id', '=', userId))
    .execute();
  if (rows.length === 0) return;
  await tx.db
    .insertInto('account_controllers')
    .values(rows.map((row) => ({ ...row, user_id: userId })))
    .execute();
}

async function insert(tx: Tx, userId: number | null, means: Means, controller: number | null): Promise<void> {
  await tx.db
    .insertInto('account_controllers')
    .values({ user_id: userId, controller_user_id: controller, means, controlled_at: tx.now })
    .execute();
}
