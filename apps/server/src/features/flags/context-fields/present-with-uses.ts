import type { Identity } from '#kernel/caller.ts';
import type { Db } from '#storage/tx.ts';
import { isVisible } from './commands.ts';
import type { ContextField } from './context-field.ts';
import { presentContextField } from './present.ts';
import { contextFieldUses, useOf } from './queries.ts';
import { type ContextFieldFilter, listContextFields } from './store.ts';

/** Presents the context fields and uses that the caller may see, in sort order, with two statements. */
export async function presentFields(db: Db, filter: ContextFieldFilter, caller: Pick<Identity, 'hidden'>) {
  const [all, uses] = await Promise.all([listContextFields(db, filter), contextFieldUses(db, caller.hidden)]);
  const fields = all.filter((field) => isVisible(field, caller));
  return fields.map((field) => presentContextField(field, useOf(uses, field.name)));
}

/** Presents one context field like {@link presentFields}. */
export async function presentOne(db: Db, field: ContextField, { hidden }: Pick<Identity, 'hidden'>) {
  return presentContextField(field, useOf(await contextFieldUses(db, hidden, field.name), field.name));
}
