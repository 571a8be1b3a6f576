import { Problem } from '../../kernel/errors.ts';
import type { Db, Tx } from '../../storage/tx.ts';
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

/** Creates a type of tags. 409 when the name is taken. */
export async function createTagType(tx: Tx, input: TagTypeInput): Promise<TagType> {
  const type = await foreseeTagType(tx.db, input);
  await store.insertTagType(tx, type);
  tx.record({ type: 'tag-type-created', data: type });
  return type;
}

/** What {@link createTagType} would create; a 409 when the name is taken. */
export async function foreseeTagType(db: Db, { name, ...input }: TagTypeInput): Promise<TagType> {
  if ((await store.findTagType(db, name)) !== undefined) {
    throw new Problem('NameExistsError', `A type of tags named ${name} exists already.`, {
      details: [{ message: 'is taken', path: 'name' }],
    });
  }
  return changed({ name, description: '', icon: null, color: null }, input);
}

/** Changes what `input` names; the rest stays. Nothing is recorded when nothing changes. */
export async function updateTagType(tx: Tx, name: string, input: TagTypeChange): Promise<void> {
  const before = await requireTagType(tx.db, name);
  const after = changed(before, input);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  await store.updateTagTypeRow(tx, after);
  tx.record({ type: 'tag-type-updated', preData: before, data: after });
}

/** Deletes a type of tags with all its tags, taking those off all flags. 409 when some of these are hidden from the author. */
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

/** The type of tags, or a 404. */
export async function requireTagType(db: Db, name: string): Promise<TagType> {
  const type = await store.findTagType(db, name);
  if (type === undefined) throw new Problem('NotFoundError', `There is no type of tags ${name}.`);
  return type;
}

function changed(before: TagType, input: TagTypeChange): TagType {
  return {
    name: before.name,
    description: input.description ?? before.description,
    icon: input.icon === undefined ? before.icon : input.icon,
    color: input.color === undefined ? before.color : input.color,
  };
}
