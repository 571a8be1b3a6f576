import { Problem } from '#kernel/errors.ts';
import type { Db, Tx } from '#storage/tx.ts';
import * as store from './store.ts';
import { type TagType, tagEventData } from './tag.ts';
import { hiddenFrom, requireNoHiddenFlags } from './tag-commands.ts';
import type { TaggedFlags } from './tagged-flags.ts';

export interface TagTypeChange {
  readonly description?: string | undefined;
  readonly icon?: string | null | undefined;
  readonly color?: string | null | undefined;
}

export type TagTypeInput = TagTypeChange & { readonly name: string };

/** Creates a tag type. Rejects with 409 when the name is taken. */
export async function createTagType(tx: Tx, input: TagTypeInput): Promise<TagType> {
  const type = await newTagType(tx.db, input);
  await store.insertTagType(tx, type);
  tx.record({ type: 'tag-type-created', data: type });
  return type;
}

/** Returns the tag type that {@link createTagType} would create. Rejects with 409 when the name is taken. */
export async function newTagType(db: Db, { name, ...input }: TagTypeInput): Promise<TagType> {
  if ((await store.findTagType(db, name)) !== undefined) {
    throw new Problem('NameExistsError', `A tag type named ${name} exists already.`, {
      details: [{ message: 'is taken', path: 'name' }],
    });
  }
  return withChanges({ name, description: '', icon: null, color: null }, input);
}

/** Changes the fields that `input` has. Records nothing when nothing changes. */
export async function updateTagType(tx: Tx, name: string, input: TagTypeChange): Promise<void> {
  const before = await requireTagType(tx.db, name);
  const after = withChanges(before, input);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await store.updateTagTypeRow(tx, after);
  tx.record({ type: 'tag-type-updated', preData: before, data: after });
}

/**
 * Deletes a tag type with its tags, and removes them from all flags. Rejects with 409 when some of these flags are
 * hidden from the author.
 */
export async function deleteTagType(tx: Tx, flags: TaggedFlags, name: string): Promise<void> {
  const type = await requireTagType(tx.db, name);
  await requireNoHiddenFlags(tx, { type: name }, `Tags of the type ${name} are`);
  const tags = await store.listTags(tx.db, hiddenFrom(tx.by), name);
  await flags.untag(tx, { type: name });
  await store.deleteTagRows(tx, { type: name });
  await store.deleteTagTypeRow(tx, name);
  for (const tag of tags) tx.record({ type: 'tag-deleted', data: tagEventData(tag) });
  tx.record({ type: 'tag-type-deleted', preData: type });
}

/** Returns the tag type. Rejects with 404 when it does not exist. */
export async function requireTagType(db: Db, name: string): Promise<TagType> {
  const type = await store.findTagType(db, name);
  if (type === undefined) throw new Problem('NotFoundError', `There is no tag type ${name}.`);
  return type;
}

function withChanges(before: TagType, input: TagTypeChange): TagType {
  return {
    name: before.name,
    description: input.description ?? before.description,
    icon: input.icon === undefined ? before.icon : input.icon,
    color: input.color === undefined ? before.color : input.color,
  };
}
