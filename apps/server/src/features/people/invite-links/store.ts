import { accountColumns, toAccount } from '#features/people/access/index.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { InviteLink, InviteLinkView } from './invite-link.ts';

const columns = ['id', 'name', 'enabled', 'expires_at', 'created_by', 'created_by_user_id', 'created_at'] as const;

/** The key of a link: its id, or the hash of its secret. */
export type LinkKey = { readonly id: number } | { readonly secretHash: string };

/** Returns all links, or the link with `key`, with the users who signed up, the oldest first. Takes two statements. */
export async function listLinks(db: Db, key?: LinkKey): Promise<InviteLinkView[]> {
  let links = db.selectFrom('invite_links').select(columns).orderBy('id');
  let users = db
    .selectFrom('invite_link_users as g')
    .innerJoin('invite_links as l', 'l.id', 'g.link_id')
    .innerJoin('users as u', 'u.id', 'g.user_id')
    .select(['g.link_id', ...accountColumns])
    .orderBy('g.user_id');
  if (key !== undefined) {
    const [column, value] = 'id' in key ? (['id', key.id] as const) : (['secret_hash', key.secretHash] as const);
    links = links.where(column, '=', value);
    users = users.where(`l.${column}`, '=', value);
  }
  const [rows, userRows] = await Promise.all([links.execute(), users.execute()]);
  const usersOf = Map.groupBy(userRows, (row) => row.link_id);
  return rows.map((row) => ({ ...toLink(row), users: (usersOf.get(row.id) ?? []).map(toAccount) }));
}

export async function insertLink(tx: Tx, link: Omit<InviteLink, 'id'>, secretHash: string): Promise<InviteLink> {
  const { id } = await tx.db
    .insertInto('invite_links')
    .values({
      name: link.name,
      secret_hash: secretHash,
      enabled: Number(link.enabled),
      expires_at: link.expiresAt,
      created_by: link.createdBy,
      created_by_user_id: link.createdByUserId,
      created_at: link.createdAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...link, id };
}

export async function updateLinkRow(tx: Tx, { id, enabled, expiresAt }: InviteLink): Promise<void> {
  await tx.db
    .updateTable('invite_links')
    .set({ enabled: Number(enabled), expires_at: expiresAt })
    .where('id', '=', id)
    .execute();
}

export async function insertSignup(tx: Tx, linkId: number, userId: number): Promise<void> {
  await tx.db.insertInto('invite_link_users').values({ link_id: linkId, user_id: userId }).execute();
}

function toLink(row: Omit<Row<'invite_links'>, 'secret_hash'>): InviteLink {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled === 1,
    expiresAt: row.expires_at,
    createdBy: row.created_by,
    createdByUserId: row.created_by_user_id,
    createdAt: row.created_at,
  };
}
