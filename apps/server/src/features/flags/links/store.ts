import { prepared } from '#storage/prepared-query.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Link } from './link.ts';

/** Returns the links of flags, oldest first, with one statement. */
export async function listLinks(db: Db, names: readonly string[]): Promise<readonly Link[]> {
  return selectLinks(db, { names });
}

const selectLinks = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  db
    .selectFrom('feature_links')
    .select(['id', 'feature_name as featureName', 'url', 'title'])
    .where('feature_name', 'in', names)
    .orderBy('created_at')
    .orderBy('id'),
);

export async function insertLinks(tx: Tx, links: readonly Link[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'feature_links',
      columns: [
        ['id', 'text'],
        ['feature_name', 'text'],
        ['url', 'text'],
        ['title', 'text'],
        ['created_at', 'integer'],
      ],
    },
    links.map(({ id, featureName, url, title }) => [id, featureName, url, title, tx.now]),
  );
}

export async function updateLinkRow(tx: Tx, { id, url, title }: Link): Promise<void> {
  await tx.db.updateTable('feature_links').set({ url, title }).where('id', '=', id).execute();
}

export async function deleteLinkRow(tx: Tx, id: string): Promise<void> {
  await tx.db.deleteFrom('feature_links').where('id', '=', id).execute();
}
