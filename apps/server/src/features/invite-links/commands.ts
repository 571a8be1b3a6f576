import { badField, Problem } from '../../kernel/errors.ts';
import { newSecret, secretHash } from '../../kernel/ids.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { type Account, findAccountNamed, viewerRoleId } from '../access/index.ts';
import { createUser } from '../users/index.ts';
import { type InviteLinkView, inviteLinkEventData } from './invite-link.ts';
import * as store from './store.ts';

/** Creates a link; its secret is told here and stored as a hash. 400 when it would be over already. */
export async function createLink(
  tx: Tx,
  input: { readonly name: string; readonly expiresAt: number },
): Promise<{ readonly link: InviteLinkView; readonly secret: string }> {
  if (input.expiresAt <= tx.now) throw badField('expiresAt', 'must be in the future');
  const secret = newSecret('');
  const made = { ...input, enabled: true, createdBy: tx.by.actor.name, createdAt: tx.now };
  const link = await store.insertLink(tx, made, secretHash(secret));
  tx.record({ type: 'public-signup-token-created', data: inviteLinkEventData(link) });
  return { link: { ...link, users: [] }, secret };
}

/** Changes what `input` names; 404 when there is no such link. Nothing is recorded when nothing changes. */
export async function updateLink(
  tx: Tx,
  reference: string,
  input: { readonly enabled?: boolean | undefined; readonly expiresAt?: number | undefined },
): Promise<InviteLinkView> {
  const before = await requireLink(tx.db, reference);
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

export interface Guest {
  readonly username?: string | undefined;
  readonly email: string;
  readonly name: string;
}

/** Makes a guest a Viewer. 400 when the link is not good, 409 when somebody has the user name or the e-mail address. */
export async function signUp(tx: Tx, secret: string, guest: Guest, passwordHash: string): Promise<Account> {
  const link = await requireGoodLink(tx.db, secret, tx.now);
  const { username, email, name } = guest;
  const names = [email, ...(username === undefined ? [] : [username, username.toLowerCase()])];
  if ((await findAccountNamed(tx.db, names)) !== undefined)
    throw new Problem('NameExistsError', 'Somebody has this user name or e-mail address already.', {
      details: [{ path: 'email', message: username === undefined ? 'is taken' : 'or the user name is taken' }],
    });
  const user = await createUser(tx, { username, email, name, rootRole: viewerRoleId }, passwordHash);
  await store.insertGuest(tx, link.id, user.id);
  tx.record({ type: 'public-signup-token-user-added', data: { id: link.id, name: link.name, userId: user.id } });
  return user;
}

/** The link with an id or a secret, or a 404. Secrets have 43 characters, which is more than an id has. */
export async function requireLink(db: Db, reference: string): Promise<InviteLinkView> {
  const key = /^\d{1,15}$/.test(reference) ? { id: Number(reference) } : { secretHash: secretHash(reference) };
  const [link] = await store.listLinks(db, key);
  if (link === undefined) throw new Problem('NotFoundError', 'There is no such invite link.');
  return link;
}

/** The link, or a 400 when there is none, it is switched off, or its time is over: guests learn no more. */
export async function requireGoodLink(db: Db, secret: string, now: number): Promise<InviteLinkView> {
  const [link] = await store.listLinks(db, { secretHash: secretHash(secret) });
  if (link === undefined || !link.enabled || link.expiresAt <= now)
    throw new Problem('BadDataError', 'This invite link is not good, or no longer. Ask for another one.');
  return link;
}
