import type { Author } from '../../kernel/actor.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import { nameTaken } from '../../kernel/visible-names.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import * as store from './store.ts';
import { type ColoredTag, distinct, type NewTag, type Tag, tagEventData } from './tag.ts';
import type { TaggedFlags } from './tagged-flags.ts';

/** Creates a tag and answers it. 400 for a type that there is not, 409 when there is the tag already. */
export async function createTag(tx: Tx, tag: NewTag): Promise<ColoredTag> {
  const [created] = await keepTags(tx, [tag], () => 'type');
  if (created !== undefined) return created;
  const message = `There is a tag ${tag.type}:${tag.value} already.`;
  const isSeen = (await store.findTag(tx.db, tag, hiddenFrom(tx.by))) !== undefined;
  throw nameTaken(isSeen, tag.value, message, 'value');
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

/** Deletes a tag, taking it off all flags. 409 when some of these are hidden from the author. */
export async function deleteTag(tx: Tx, flags: TaggedFlags, tag: Tag): Promise<void> {
  const found = await requireTag(tx.db, tag, hiddenFrom(tx.by));
  const { type, value } = found;
  await requireNoHiddenFlags(tx, { type, value }, `The tag ${type}:${value} is`);
  await flags.untag(tx, { type, value });
  await store.deleteTagRows(tx, { type, value });
  tx.record({ type: 'tag-deleted', data: tagEventData(found) });
}

/** A 409 when flags that are hidden from the author bear the tag, or one of its type: they are not the author's to change. */
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
  return hidden ?? nothing;
}

const nothing: ReadonlySet<string> = new Set();

/** The tag, or a 404, also when only flags of hidden projects bear it. */
export async function requireTag(db: Db, tag: Tag, hidden: ReadonlySet<string>): Promise<ColoredTag> {
  const found = await store.findTag(db, tag, hidden);
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
