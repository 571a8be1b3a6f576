import { type Account, findAccountNamed, viewerRoleId } from '#features/people/access/index.ts';
import { actingAccount, recordControl } from '#features/people/account-control/index.ts';
import { createUser } from '#features/people/users/index.ts';
import { Problem } from '#kernel/errors.ts';
import { foldCase } from '#kernel/fold-case.ts';
import { requireFuture } from '#kernel/future.ts';
import { newSecret, secretHash } from '#kernel/ids.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type InviteLinkView, inviteLinkEventData } from './invite-link.ts';
import * as store from './store.ts';

/**
 * Creates a link and returns its secret, of which only a hash is stored. Rejects with 400 when `expiresAt` is in the
 * past.
 */
export async function createLink(
  tx: Tx,
  input: { readonly name: string; readonly expiresAt: number },
): Promise<{ readonly link: InviteLinkView; readonly secret: string }> {
  requireFuture('expiresAt', input.expiresAt, tx.now);
  const secret = newSecret('');
  const createdByUserId = actingAccount(tx);
  const made = { ...input, enabled: true, createdBy: tx.by.actor.name, createdByUserId, createdAt: tx.now };
  const link = await store.insertLink(tx, made, secretHash(secret));
  tx.record({ type: 'public-signup-token-created', data: inviteLinkEventData(link) });
  return { link: { ...link, users: [] }, secret };
}

/**
 * Updates the given fields of a link. Rejects with 404 when there is none, and with 400 when its new end has passed.
 * Records an event only when a field changes.
 */
export async function updateLink(
  tx: Tx,
  reference: string,
  input: { readonly enabled?: boolean | undefined; readonly expiresAt?: number | undefined },
): Promise<InviteLinkView> {
  const before = await requireLink(tx.db, reference);
  requireFuture('expiresAt', input.expiresAt, tx.now, before.expiresAt);
  const after = {
    ...before,
    enabled: input.enabled ?? before.enabled,
    expiresAt: input.expiresAt ?? before.expiresAt,
  };
  if (after.enabled === before.enabled && after.expiresAt === before.expiresAt) return before;
  await store.updateLinkRow(tx, after);
  tx.record({
    type: 'public-signup-token-updated',
    preData: inviteLinkEventData(before),
    data: inviteLinkEventData(after),
  });
  return after;
}

export interface NewUser {
  readonly username?: string | undefined;
  readonly email: string;
  readonly name: string;
}

/**
 * Creates a user with the role Viewer. Rejects with 400 when the link is not valid, and 409 when the name or address is
 * taken.
 */
export async function signUp(tx: Tx, secret: string, newUser: NewUser, passwordHash: string): Promise<Account> {
  const link = await requireValidLink(tx.db, secret, tx.now);
  const { username, email, name } = newUser;
  const names = [email, ...(username === undefined ? [] : [username, foldCase(username)])];
  if ((await findAccountNamed(tx.db, names)) !== undefined)
    throw new Problem('NameExistsError', 'This user name or e-mail address is taken. Choose another.', {
      details: [{ path: 'email', message: username === undefined ? 'is taken' : 'or the user name is taken' }],
    });
  const user = await createUser(tx, { username, email, name, rootRole: viewerRoleId }, passwordHash);
  await store.insertSignup(tx, link.id, user.id);
  await recordControl(tx, user.id, 'signed-up', null);
  if (link.createdByUserId !== null) await recordControl(tx, user.id, 'created', link.createdByUserId);
  tx.record({ type: 'public-signup-token-user-added', data: { id: link.id, name: link.name, userId: user.id } });
  return user;
}

/**
 * Returns the link with an id or a secret, which are told apart by their length. Rejects with 404 when there is none.
 */
export async function requireLink(db: Db, reference: string): Promise<InviteLinkView> {
  const key = /^\d{1,15}$/.test(reference) ? { id: Number(reference) } : { secretHash: secretHash(reference) };
  const [link] = await store.listLinks(db, key);
  if (link === undefined) throw new Problem('NotFoundError', 'There is no invite link with this id or secret.');
  return link;
}

/** Returns the link. Rejects with the same 400 when it is unknown, disabled or expired, to reveal nothing else. */
export async function requireValidLink(db: Db, secret: string, now: number): Promise<InviteLinkView> {
  const [link] = await store.listLinks(db, { secretHash: secretHash(secret) });
  if (link === undefined || !link.enabled || link.expiresAt <= now)
    throw new Problem('BadDataError', 'This invite link is invalid or has expired. Ask for a new one.');
  return link;
}
