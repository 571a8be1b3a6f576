import type { Author } from '../../kernel/actor.ts';
import type { Identity } from '../../kernel/caller.ts';
import { badField, Problem } from '../../kernel/errors.ts';
import { isHiddenFrom, listVisibleNames, type NamedEntity, nameTaken } from '../../kernel/visible-names.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import { type ContextField, contextFieldEventData, type LegalValue, maxLegalValues } from './context-field.ts';
import { defaultsAsking, flagsAsking, segmentsAsking } from './queries.ts';
import * as store from './store.ts';

/** What is said of a context field; what is absent stays, or is what is usual. */
export interface ContextFieldInput {
  readonly description?: string | null | undefined;
  readonly stickiness?: boolean | undefined;
  readonly sortOrder?: number | undefined;
  readonly legalValues?: readonly LegalValue[] | undefined;
  /** Decided when the field is created. */
  readonly project?: string | null | undefined;
}

/** Which field a command is about. With a project, one that does not belong to it counts as absent. */
export interface ContextFieldRef {
  readonly name: string;
  readonly project?: string | undefined;
}

/** Where a field stands when nobody says: after those that are there from the start. */
const usualSortOrder = 10;

/** Creates a context field. 409 when the name is taken, in whatever project. */
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
    sortOrder: input.sortOrder ?? usualSortOrder,
    legalValues: input.legalValues ?? [],
    project,
    createdAt: tx.now,
  };
  await store.insertContextField(tx, field);
  tx.record({ type: 'context-field-created', project, data: contextFieldEventData(field) });
  return field;
}

/** Changes a context field; nothing is recorded when nothing changes. */
export async function updateContextField(tx: Tx, ref: ContextFieldRef, input: ContextFieldInput): Promise<void> {
  const before = await requireContextField(tx.db, ref);
  if (input.project !== undefined && input.project !== before.project) {
    throw badField('project', 'must stay what it is: constraints of other projects may ask about the field');
  }
  await replace(tx, before, {
    ...before,
    description: input.description === undefined ? before.description : input.description,
    stickiness: input.stickiness ?? before.stickiness,
    sortOrder: input.sortOrder ?? before.sortOrder,
    legalValues: input.legalValues ?? before.legalValues,
  });
}

/** Adds a legal value after the others, or describes one that is there anew. */
export async function setLegalValue(tx: Tx, ref: ContextFieldRef, legal: LegalValue): Promise<void> {
  const before = await requireContextField(tx.db, ref);
  const { legalValues } = before;
  const isThere = legalValues.some(({ value }) => value === legal.value);
  if (!isThere && legalValues.length >= maxLegalValues) {
    throw new Problem('ExceedsLimitError', `A context field can have at most ${maxLegalValues} legal values.`);
  }
  const after = isThere ? legalValues.map((one) => (one.value === legal.value ? legal : one)) : [...legalValues, legal];
  await replace(tx, before, { ...before, legalValues: after });
}

/** Removes a legal value, or a 404. Constraints that name it stay as they are. */
export async function removeLegalValue(tx: Tx, ref: ContextFieldRef, value: string): Promise<void> {
  const before = await requireContextField(tx.db, ref);
  const legalValues = before.legalValues.filter((one) => one.value !== value);
  if (legalValues.length === before.legalValues.length) {
    throw new Problem('NotFoundError', `The context field ${ref.name} has no legal value ${value}.`);
  }
  await replace(tx, before, { ...before, legalValues });
}

/** Deletes a context field. 409 while a constraint of a strategy, of a default strategy or of a segment asks about it, of an archived flag too. */
export async function deleteContextField(tx: Tx, ref: ContextFieldRef): Promise<void> {
  const field = await requireContextField(tx.db, ref);
  const [flags, segments, projects] = await Promise.all([
    flagsAsking(tx.db, field.name),
    segmentsAsking(tx.db, field.name),
    defaultsAsking(tx.db, field.name),
  ]);
  // Constraints of other projects may use the name too, and do not mean the field of this one.
  const isMeant = ({ project }: NamedEntity) => field.project === null || project === null || project === field.project;
  const some = (what: string, things: readonly NamedEntity[]) => {
    const names = listVisibleNames(tx.by, things.filter(isMeant));
    return names === undefined ? [] : [`${what} ${names}`];
  };
  const users = [
    ...some('flags', flags),
    ...some('segments', segments),
    ...some(
      'default strategies of the projects',
      projects.map((project) => ({ name: project, project })),
    ),
  ];
  if (users.length > 0) {
    throw new Problem('ConflictError', `Constraints ask about ${field.name}: those of the ${users.join(' and the ')}.`);
  }
  await deleteAll(tx, [field]);
}

/** Deletes the context fields of a project. */
export async function deleteContextFieldsOfProject(tx: Tx, project: string): Promise<void> {
  await deleteAll(tx, await store.listContextFields(tx.db, { ofAll: false, project }));
}

/** The context field, or a 404. */
export async function requireContextField(db: Db, { name, project }: ContextFieldRef): Promise<ContextField> {
  const [field] = await store.findContextFields(db, [name]);
  if (field !== undefined && (project === undefined || field.project === project)) return field;
  const owner = project === undefined ? 'There is' : `The project ${project} has`;
  throw new Problem('NotFoundError', `${owner} no context field ${name}.`);
}

/** {@link requireContextField} of whatever project, and a 404 too when that is hidden from the caller. */
export async function requireSeenField(db: Db, name: string, caller: Identity): Promise<ContextField> {
  const field = await requireContextField(db, { name });
  if (isSeen(field, caller)) return field;
  throw new Problem('NotFoundError', `There is no context field ${name}.`);
}

/** Whether the caller may know of a context field. */
export function isSeen({ project }: ContextField, caller: Pick<Identity, 'hidden'>): boolean {
  return project === null || !caller.hidden.has(project);
}

/** A 409 when a context field has this name, in whatever project. */
export async function requireFreeName(db: Db, by: Pick<Author, 'hidden'>, name: string): Promise<void> {
  const [holder] = await store.findContextFields(db, [name]);
  if (holder !== undefined)
    throw nameTaken(!isHiddenFrom(by, holder), name, `A context field named ${name} exists already.`);
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
