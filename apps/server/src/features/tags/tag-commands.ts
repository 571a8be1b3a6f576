import { badField, Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import * as store from './store.ts';
import { distinct, type Tag } from './tag.ts';
import type { TaggedFlags } from './tagged-flags.ts';

/** Creates a tag. 400 for a type that there is not, 409 when there is the tag already. */
export async function createTag(tx: Tx, tag: Tag): Promise<void> {
  const created = await keepTags(tx, [tag], () => 'type');
  if (created.length === 0) {
    throw new Problem('NameExistsError', `There is a tag ${tag.type}:${tag.value} already.`, {
      details: [{ message: 'is taken', path: 'value' }],
    });
  }
}

/**
 * Sees to it that there are tags which flags are about to get, and answers those that it created. 400 for a type that
 * there is not, at the field that `fieldOf` names by the place of the tag in the list.
 */
export async function keepTags(tx: Tx, tags: readonly Tag[], fieldOf: (index: number) => string): Promise<Tag[]> {
  if (tags.length === 0) return [];
  const [types, present] = await Promise.all([
    store.findTagTypeNames(tx.db, [...new Set(tags.map(({ type }) => type))]),
    store.findTags(tx.db, tags),
  ]);
  const unknown = tags.findIndex(({ type }) => !types.has(type));
  if (unknown >= 0) throw badField(fieldOf(unknown), `must be a type of tags, not ${tags[unknown]?.type}`);
  const added = distinct([...present, ...tags]).slice(present.length);
  await store.insertTags(tx, added);
  for (const { type, value } of added) tx.record({ type: 'tag-created', data: { type, value } });
  return added;
}

/** Deletes a tag, taking it off all flags. */
export async function deleteTag(tx: Tx, flags: TaggedFlags, tag: Tag): Promise<void> {
  const { type, value } = await requireTag(tx.db, tag);
  await flags.untag(tx, { type, value });
  await store.deleteTagRows(tx, { type, value });
  tx.record({ type: 'tag-deleted', data: { type, value } });
}

/** The tag, or a 404. */
export async function requireTag(db: Db, tag: Tag): Promise<Tag> {
  const found = await store.findTag(db, tag);
  if (found === undefined) throw new Problem('NotFoundError', `There is no tag ${tag.type}:${tag.value}.`);
  return found;
}
