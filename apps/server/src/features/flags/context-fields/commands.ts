import type { Author } from '#kernel/actor.ts';
import type { Identity } from '#kernel/caller.ts';
import { badField, Problem } from '#kernel/errors.ts';
import { isHiddenFrom, listVisibleNames, type NamedEntity, nameTaken } from '#kernel/visible-names.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type ContextField, contextFieldEventData, type LegalValue, maxLegalValues } from './context-field.ts';
import { defaultStrategiesUsing, flagsUsing, segmentsUsing } from './queries.ts';
import * as store from './store.ts';

/** Fields to set. Absent fields get their default in a new context field and stay unchanged in an existing one. */
export interface ContextFieldInput {
  readonly description?: string | null | undefined;
  readonly stickiness?: boolean | undefined;
  readonly sortOrder?: number | undefined;
  readonly legalValues?: readonly LegalValue[] | undefined;
  /** Cannot change after the field is created. */
  readonly project?: string | null | undefined;
}

/** The field that a command changes. With a project, fields outside the project count as missing. */
export interface ContextFieldRef {
  readonly name: string;
  readonly project?: string | undefined;
}

/** Sorts new fields after the predefined fields. */
const defaultSortOrder = 10;

/** Creates a context field. Rejects with 409 when the name is taken in any project. */
export async function createContextField(
  tx: Tx,
  name: string,
  input: Omit<ContextFieldInput, 'project'>,
  project: string | null,
): Promise<ContextField> {
  await requireFreeName(tx.db, tx.by, name);
  const field: ContextField = {
    name,
    description: input.description ?? null,
    stickiness: input.stickiness ?? false,
    sortOrder: input.sortOrder ?? defaultSortOrder,
    legalValues: input.legalValues ?? [],
    project,
    createdAt: tx.now,
  };
  await store.insertContextField(tx, field);
  tx.record({ type: 'context-field-created', project, data: contextFieldEventData(field) });
  return field;
}

/** Changes a context field. Records nothing when nothing changes. */
export async function updateContextField(tx: Tx, ref: ContextFieldRef, input: ContextFieldInput): Promise<void> {
  const before = await requireContextField(tx.db, ref);
  if (input.project !== undefined && input.project !== before.project) {
    throw badField('project', 'cannot be changed, because constraints of other projects may use the field');
  }
  await replace(tx, before, {
    ...before,
    description: input.description === undefined ? before.description : input.description,
    stickiness: input.stickiness ?? before.stickiness,
    sortOrder: input.sortOrder ?? before.sortOrder,
    legalValues: input.legalValues ?? before.legalValues,
  });
}

/** Adds a legal value at the end, or replaces the description of an existing one. */
export async function setLegalValue(tx: Tx, ref: ContextFieldRef, legal: LegalValue): Promise<void> {
  const before = await requireContextField(tx.db, ref);
  const { legalValues } = before;
  const exists = legalValues.some(({ value }) => value === legal.value);
  if (!exists && legalValues.length >= maxLegalValues) {
    throw new Problem('ExceedsLimitError', `A context field can have at most ${maxLegalValues} legal values.`);
  }
  const after = exists
    ? legalValues.map((present) => (present.value === legal.value ? legal : present))
    : [...legalValues, legal];
  await replace(tx, before, { ...before, legalValues: after });
}

/** Removes a legal value; constraints that use it stay unchanged. Rejects with 404 when it does not exist. */
export async function removeLegalValue(tx: Tx, ref: ContextFieldRef, value: string): Promise<void> {
  const before = await requireContextField(tx.db, ref);
  const legalValues = before.legalValues.filter((legal) => legal.value !== value);
  if (legalValues.length === before.legalValues.length) {
    throw new Problem('NotFoundError', `The context field ${ref.name} has no legal value ${value}.`);
  }
  await replace(tx, before, { ...before, legalValues });
}

/**
 * Deletes a context field. Rejects with 409 while a constraint of a strategy, also of an archived flag, of a default
 * strategy or of a segment uses the field.
 */
export async function deleteContextField(tx: Tx, ref: ContextFieldRef): Promise<void> {
  const field = await requireContextField(tx.db, ref);
  const [flags, segments, projects] = await Promise.all([
    flagsUsing(tx.db, field.name),
    segmentsUsing(tx.db, field.name),
    defaultStrategiesUsing(tx.db, field.name),
  ]);
  // Constraints of other projects with the same name do not refer to a field of this project.
  const refersToField = ({ project }: NamedEntity) =>
    field.project === null || project === null || project === field.project;
  const usersOf = (kind: string, candidates: readonly NamedEntity[]) => {
    const names = listVisibleNames(tx.by, candidates.filter(refersToField));
    return names === undefined ? [] : [`${kind} ${names}`];
  };
  const users = [
    ...usersOf('flags', flags),
    ...usersOf('segments', segments),
    ...usersOf(
      'default strategies of the projects',
      projects.map((project) => ({ name: project, project })),
    ),
  ];
  if (users.length > 0) {
    throw new Problem(
      'ConflictError',
      `The context field ${field.name} is used by constraints of the ${users.join(' and the ')}. Remove these constraints first.`,
    );
  }
  await deleteAll(tx, [field]);
}

/** Deletes the context fields of a project. */
export async function deleteContextFieldsOfProject(tx: Tx, project: string): Promise<void> {
  await deleteAll(tx, await store.listContextFields(tx.db, { shared: false, project }));
}

/** Returns the context field. Rejects with 404 when it does not exist. */
export async function requireContextField(db: Db, { name, project }: ContextFieldRef): Promise<ContextField> {
  const [field] = await store.findContextFields(db, [name]);
  if (field !== undefined && (project === undefined || field.project === project)) return field;
  const owner = project === undefined ? 'There is' : `The project ${project} has`;
  throw new Problem('NotFoundError', `${owner} no context field ${name}.`);
}

/** Like {@link requireContextField} in any project, and rejects with 404 when the project is hidden from the caller. */
export async function requireVisibleField(db: Db, name: string, caller: Identity): Promise<ContextField> {
  const field = await requireContextField(db, { name });
  if (isVisible(field, caller)) return field;
  throw new Problem('NotFoundError', `There is no context field ${name}.`);
}

/** Returns whether the caller may see a context field. */
export function isVisible({ project }: ContextField, caller: Pick<Identity, 'hidden'>): boolean {
  return project === null || !caller.hidden.has(project);
}

/** Rejects with 409 when the name is taken in any project. */
export async function requireFreeName(db: Db, by: Pick<Author, 'hidden'>, name: string): Promise<void> {
  const [existing] = await store.findContextFields(db, [name]);
  if (existing !== undefined)
    throw nameTaken(!isHiddenFrom(by, existing), name, `A context field named ${name} exists already.`);
}

async function replace(tx: Tx, before: ContextField, after: ContextField): Promise<void> {
  const [preData, data] = [contextFieldEventData(before), contextFieldEventData(after)];
  if (JSON.stringify(preData) === JSON.stringify(data)) return;
  await store.updateContextFieldRow(tx, after);
  tx.record({ type: 'context-field-updated', project: after.project, preData, data });
}

async function deleteAll(tx: Tx, fields: readonly ContextField[]): Promise<void> {
  if (fields.length === 0) return;
  await store.deleteContextFieldRows(
    tx,
    fields.map(({ name }) => name),
  );
  for (const field of fields) {
    tx.record({ type: 'context-field-deleted', project: field.project, preData: contextFieldEventData(field) });
  }
}
