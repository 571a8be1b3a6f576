import { type Condition, type Db, sql, type Tx } from '#storage/tx.ts';
import type { ColoredTag, Tag, TagType } from './tag.ts';

/** Maximum number of values in one statement. */
const maxValuesPerStatement = 1000;

const tagColumns = ['type', 'value', 'color'] as const;
const typeColumns = ['name', 'description', 'icon', 'color'] as const;

/** Returns the visible tags, all or of one type, ordered by type and value, with one statement. */
export async function listTags(db: Db, hidden: ReadonlySet<string>, type?: string): Promise<ColoredTag[]> {
  let query = db.selectFrom('tags as t').select(tagColumns).orderBy('type').orderBy('value');
  if (type !== undefined) query = query.where('type', '=', type);
  return query.where(isVisible(hidden)).execute();
}

/** Returns the tag; undefined when it does not exist or is not visible. */
export async function findTag(
  db: Db,
  { type, value }: Tag,
  hidden: ReadonlySet<string>,
): Promise<ColoredTag | undefined> {
  return db
    .selectFrom('tags as t')
    .select(tagColumns)
    .where('type', '=', type)
    .where('value', '=', value)
    .where(isVisible(hidden))
    .executeTakeFirst();
}

/** Returns whether a flag of a hidden project has the tag, or any tag of the type. */
export async function isOnHiddenFlags(
  db: Db,
  { type, value }: { readonly type: string; readonly value?: string },
  hidden: ReadonlySet<string>,
): Promise<boolean> {
  if (hidden.size === 0) return false;
  let query = db.selectFrom('tags as t').select('type').where('type', '=', type);
  if (value !== undefined) query = query.where('value', '=', value);
  return (await query.where(isOnFlagsOf(hidden)).limit(1).executeTakeFirst()) !== undefined;
}

/** Selects visible tags: tags without flags, and tags of a flag outside the hidden projects. */
function isVisible(hidden: ReadonlySet<string>): Condition {
  if (hidden.size === 0) return sql<boolean>`1 = 1`;
  return sql<boolean>`(${isOnFlagsOf(hidden, 'elsewhere')} or not ${isOnFlagsOf(hidden)})`;
}

/** Selects tags `t` of flags in the hidden projects, or of flags in other projects. */
function isOnFlagsOf(hidden: ReadonlySet<string>, where?: 'elsewhere'): Condition {
  const among = where === 'elsewhere' ? sql`not in` : sql`in`;
  return sql<boolean>`exists (select 1 from feature_tags as b join features as f on f.name = b.feature_name
    where b.type = t.type and b.value = t.value and f.project ${among} (${sql.join([...hidden])}))`;
}

/**
 * Returns the existing tags of `tags`, with one statement per thousand values. May also return other tags, which
 * combine the type of one of `tags` with the value of another.
 */
export async function findTags(db: Db, tags: readonly Tag[]): Promise<ColoredTag[]> {
  const types = [...new Set(tags.map(({ type }) => type))];
  const values = [...new Set(tags.map(({ value }) => value))];
  const found: ColoredTag[] = [];
  for (let from = 0; from < values.length; from += maxValuesPerStatement) {
    const query = db.selectFrom('tags').select(tagColumns).where('type', 'in', types);
    found.push(...(await query.where('value', 'in', values.slice(from, from + maxValuesPerStatement)).execute()));
  }
  return found;
}

export async function insertTags(tx: Tx, tags: readonly ColoredTag[]): Promise<void> {
  await tx.insertMany(
    {
      table: 'tags',
      columns: [
        ['type', 'text'],
        ['value', 'text'],
        ['color', 'text'],
      ],
    },
    tags.map(({ type, value, color }) => [type, value, color]),
  );
}

/** Deletes a tag, or all tags of a type. */
export async function deleteTagRows(tx: Tx, { type, value }: { type: string; value?: string }): Promise<void> {
  let query = tx.db.deleteFrom('tags').where('type', '=', type);
  if (value !== undefined) query = query.where('value', '=', value);
  await query.execute();
}

export async function listTagTypes(db: Db): Promise<TagType[]> {
  return db.selectFrom('tag_types').select(typeColumns).orderBy('name').execute();
}

export async function findTagType(db: Db, name: string): Promise<TagType | undefined> {
  return db.selectFrom('tag_types').select(typeColumns).where('name', '=', name).executeTakeFirst();
}

/** Returns the names of the tag types that exist. `names` must not be empty. */
export async function findTagTypeNames(db: Db, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('tag_types').select('name').where('name', 'in', names).execute();
  return new Set(rows.map(({ name }) => name));
}

export async function insertTagType(tx: Tx, type: TagType): Promise<void> {
  await tx.db
    .insertInto('tag_types')
    .values({ ...type, created_at: tx.now })
    .execute();
}

export async function updateTagTypeRow(tx: Tx, { name, ...values }: TagType): Promise<void> {
  await tx.db.updateTable('tag_types').set(values).where('name', '=', name).execute();
}

export async function deleteTagTypeRow(tx: Tx, name: string): Promise<void> {
  await tx.db.deleteFrom('tag_types').where('name', '=', name).execute();
}
