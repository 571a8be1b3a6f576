import type { Identity } from '../../kernel/caller.ts';
import type { Db } from '../../storage/tx.ts';
import { isSeen } from './commands.ts';
import type { ContextField } from './context-field.ts';
import { presentContextField } from './present.ts';
import { contextFieldUses, useOf } from './queries.ts';
import { type Listed, listContextFields } from './store.ts';

/** Context fields in their order that the caller may know of, with how much asks about them that the caller sees. Two statements. */
export async function presentFields(db: Db, listed: Listed, caller: Pick<Identity, 'hidden'>) {
  const [all, uses] = await Promise.all([listContextFields(db, listed), contextFieldUses(db, caller.hidden)]);
  const fields = all.filter((field) => isSeen(field, caller));
  return fields.map((field) => presentContextField(field, useOf(uses, field.name)));
}

/** {@link presentFields} for one. */
export async function presentOne(db: Db, field: ContextField, { hidden }: Pick<Identity, 'hidden'>) {
  return presentContextField(field, useOf(await contextFieldUses(db, hidden, field.name), field.name));
}
