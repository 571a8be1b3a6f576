import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Banner } from './banner.ts';

/** Returns all banners, the oldest first. */
export async function listBanners(db: Db): Promise<Banner[]> {
  return (await db.selectFrom('banners').selectAll().orderBy('id').execute()).map(toBanner);
}

export async function findBanner(db: Db, id: number): Promise<Banner | undefined> {
  const row = await db.selectFrom('banners').selectAll().where('id', '=', id).executeTakeFirst();
  return row && toBanner(row);
}

export async function insertBanner(tx: Tx, banner: Omit<Banner, 'id'>): Promise<Banner> {
  const { id } = await tx.db
    .insertInto('banners')
    .values({ ...columnsOf(banner), created_at: banner.createdAt })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { ...banner, id };
}

export async function updateBannerRow(tx: Tx, banner: Banner): Promise<void> {
  await tx.db.updateTable('banners').set(columnsOf(banner)).where('id', '=', banner.id).execute();
}

export async function deleteBannerRow(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('banners').where('id', '=', id).execute();
}

function columnsOf(banner: Omit<Banner, 'id'>) {
  return {
    message: banner.message,
    enabled: banner.enabled ? 1 : 0,
    variant: banner.variant,
    sticky: banner.sticky ? 1 : 0,
    icon: banner.icon,
    link: banner.link,
    link_text: banner.linkText,
    dialog_title: banner.dialogTitle,
    dialog: banner.dialog,
  };
}

function toBanner(row: Row<'banners'>): Banner {
  return {
    id: row.id,
    message: row.message,
    enabled: row.enabled === 1,
    variant: row.variant,
    sticky: row.sticky === 1,
    icon: row.icon,
    link: row.link,
    linkText: row.link_text,
    dialogTitle: row.dialog_title,
    dialog: row.dialog,
    createdAt: row.created_at,
  };
}
