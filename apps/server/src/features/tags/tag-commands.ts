import { badField, Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import * as store from './store.ts';
import { type ColoredTag, distinct, type NewTag, type Tag, tagEventData } from './tag.ts';
import type { TaggedFlags } from './tagged-flags.ts';

/** Creates a tag and answers it. 400 for a type that there is not, 409 when there is the tag already. */
export async function createTag(tx: Tx, tag: NewTag): Promise<ColoredTag> {
  const [created] = await keepTags(tx, [tag], () => 'type');
  if (created === undefined) {
    throw new Problem('NameExistsError', `There is a tag ${tag.type}:${tag.value} already.`, {
      details: [{ message: 'is taken', path: 'value' }],
    });
  }
  return created;
}

/**
 * Sees to it that there are tags which flags are about to get, and answers those that it created. Those that there
 * are stay as they are. 400 for a type that there is not, at the field that `fieldOf` names by the place of the tag in the list.
 */
export async function keepTags(
  tx: Tx,
  tags: readonly NewTag[],
  fieldOf: (index: number) => string,
): Promise<ColoredTag[]> {
  if (tags.length === 0) return [];
  const [types, present] = await Promise.all([
    store.findTagTypeNames(tx.db, [...new Set(tags.map(({ type }) => type))]),
    store.findTags(tx.db, tags),
  ]);
  const unknown = tags.findIndex(({ type }) => !types.has(type));
  if (unknown >= 0) throw badField(fieldOf(unknown), `must be a type of tags, not ${tags[unknown]?.type}`);
  const added = distinct<NewTag>([...present, ...tags])
    .slice(present.length)
    .map(({ type, value, color = null }) => ({ type, value, color }));
  await store.insertTags(tx, added);
  for (const tag of added) tx.record({ type: 'tag-created', data: tagEventData(tag) });
  return added;
}

/** Deletes a tag, taking it off all flags. */
export async function deleteTag(tx: Tx, flags: TaggedFlags, tag: Tag): Promise<void> {
  const found = await requireTag(tx.db, tag);
  const { type, value } = found;
  await flags.untag(tx, { type, value });
  await store.deleteTagRows(tx, { type, value });
  tx.record({ type: 'tag-deleted', data: tagEventData(found) });
}

/** The tag, or a 404. */
export async function requireTag(db: Db, tag: Tag): Promise<ColoredTag> {
  const found = await store.findTag(db, tag);
  if (found === undefined) throw new Problem('NotFoundError', `There is no tag ${tag.type}:${tag.value}.`);
  return found;
}

/** Tags with their colours, in the order given; a tag that there is not has none. */
export async function withColors(db: Db, tags: readonly Tag[]): Promise<ColoredTag[]> {
  if (tags.length === 0) return [];
  const found = await store.findTags(db, tags);
  const colors = new Map(found.map((tag) => [JSON.stringify([tag.type, tag.value]), tag.color]));
  return tags.map(({ type, value }) => ({ type, value, color: colors.get(JSON.stringify([type, value])) ?? null }));
}
