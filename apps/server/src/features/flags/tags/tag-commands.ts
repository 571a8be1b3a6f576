import type { Author } from '#kernel/actor.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { nameTaken } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import * as store from './store.ts';
import { type ColoredTag, distinctTags, type NewTag, type Tag, tagEventData } from './tag.ts';
import type { TaggedFlags } from './tagged-flags.ts';

/** Creates a tag. Rejects with 400 for an unknown type, and with 409 when the tag exists. */
export async function createTag(tx: Tx, tag: NewTag): Promise<ColoredTag> {
  const [created] = await ensureTags(tx, [tag], () => 'type');
  if (created !== undefined) return created;
  const message = `The tag ${tag.type}:${tag.value} exists already.`;
  const isVisible = (await store.findTag(tx.db, tag, hiddenFrom(tx.by))) !== undefined;
  throw nameTaken(isVisible, tag.value, message, 'value');
}

/**
 * Creates the missing tags of `tags` and returns them; existing tags stay unchanged. Rejects with 400 for an unknown
 * type, with the path that `fieldOf` returns for the index of the tag.
 */
export async function ensureTags(
  tx: Tx,
  tags: readonly NewTag[],
  fieldOf: (index: number) => string,
): Promise<ColoredTag[]> {
  if (tags.length === 0) return [];
  const [types, existing] = await Promise.all([
    store.findTagTypeNames(tx.db, [...new Set(tags.map(({ type }) => type))]),
    store.findTags(tx.db, tags),
  ]);
  const unknown = tags.findIndex(({ type }) => !types.has(type));
  if (unknown >= 0) throw badField(fieldOf(unknown), `must be an existing tag type, not ${tags[unknown]?.type}`);
  const added = distinctTags<NewTag>([...existing, ...tags])
    .slice(existing.length)
    .map(({ type, value, color = null }) => ({ type, value, color }));
  await store.insertTags(tx, added);
  for (const tag of added) tx.record({ type: 'tag-created', data: tagEventData(tag) });
  return added;
}

/**
 * Deletes a tag and removes it from all flags. Rejects with 409 when some of these flags are hidden from the author.
 */
export async function deleteTag(tx: Tx, flags: TaggedFlags, tag: Tag): Promise<void> {
  const found = await requireTag(tx.db, tag, hiddenFrom(tx.by));
  const { type, value } = found;
  await requireNoHiddenFlags(tx, { type, value }, `The tag ${type}:${value} is`);
  await flags.untag(tx, { type, value });
  await store.deleteTagRows(tx, { type, value });
  tx.record({ type: 'tag-deleted', data: tagEventData(found) });
}

/** Rejects with 409 when flags that are hidden from the author have the tag, or a tag of the type. */
export async function requireNoHiddenFlags(
  tx: Tx,
  tags: { readonly type: string; readonly value?: string },
  subject: string,
): Promise<void> {
  if (!(await store.isOnHiddenFlags(tx.db, tags, hiddenFrom(tx.by)))) return;
  throw new Problem(
    'ConflictError',
    `${subject} on flags in projects that you cannot see. Ask an administrator to delete it.`,
  );
}

export function hiddenFrom({ hidden }: Pick<Author, 'hidden'>): ReadonlySet<string> {
  return hidden ?? noProjects;
}

const noProjects: ReadonlySet<string> = new Set();

/** Returns the tag. Rejects with 404 when it does not exist, or only flags of hidden projects have it. */
export async function requireTag(db: Db, tag: Tag, hidden: ReadonlySet<string>): Promise<ColoredTag> {
  const found = await store.findTag(db, tag, hidden);
  if (found === undefined) throw new Problem('NotFoundError', `There is no tag ${tag.type}:${tag.value}.`);
  return found;
}

/** Adds the colors to tags; null for a missing tag. */
export async function withColors(db: Db, tags: readonly Tag[]): Promise<ColoredTag[]> {
  if (tags.length === 0) return [];
  const found = await store.findTags(db, tags);
  const colors = new Map(found.map((tag) => [JSON.stringify([tag.type, tag.value]), tag.color]));
  return tags.map(({ type, value }) => ({ type, value, color: colors.get(JSON.stringify([type, value])) ?? null }));
}
