import { maxIncidentNotes } from '@yardarm/contract';
import type { Identity } from '#kernel/caller.ts';
import { isoTime } from '#kernel/clock.ts';
import { Problem } from '#kernel/errors.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';

type Note = Row<'incident_notes'>;

/** The incident that a note belongs to. */
interface Place {
  readonly id: number;
  readonly project: string;
}

/** Returns the notes of incidents, oldest first. */
export function notesOf(db: Db, incidentIds: readonly number[]): Promise<Note[]> {
  return db.selectFrom('incident_notes').selectAll().where('incident_id', 'in', incidentIds).orderBy('id').execute();
}

/** Adds a note to an incident, which has at most {@link maxIncidentNotes}. */
export async function addNote(tx: Tx, { id: incidentId, project }: Place, note: string): Promise<Note> {
  if ((await notesOf(tx.db, [incidentId])).length >= maxIncidentNotes)
    throw new Problem(
      'ConflictError',
      `The incident ${incidentId} has ${maxIncidentNotes} notes. Delete one of yours.`,
    );
  const { actor } = tx.by;
  const row = await tx.db
    .insertInto('incident_notes')
    .values({
      incident_id: incidentId,
      note,
      created_by: actor.name,
      created_by_user_id: actor.userId,
      created_at: tx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  tx.record({ type: 'incident-note-added', project, data: { incidentId, id: row.id, note } });
  return row;
}

/** Deletes a note of the caller. Rejects with 403 for the note of another person. */
export async function deleteNote(tx: Tx, { id: incidentId, project }: Place, noteId: number): Promise<void> {
  const note = (await notesOf(tx.db, [incidentId])).find(({ id }) => id === noteId);
  if (note === undefined) throw new Problem('NotFoundError', `The incident ${incidentId} has no note ${noteId}.`);
  if (!isBy(note, tx.by.actor)) throw new Problem('ForbiddenError', 'Only its author can delete a note.');
  await tx.db.deleteFrom('incident_notes').where('id', '=', noteId).execute();
  tx.record({ type: 'incident-note-deleted', project, preData: { incidentId, id: noteId, note: note.note } });
}

/** Returns whether a person wrote a note. Tokens for programs share an id, so their names count too. */
function isBy({ created_by, created_by_user_id }: Note, { userId, name }: Identity['actor']): boolean {
  return created_by_user_id === userId && (userId >= 0 || created_by === name);
}

export function presentNote(note: Note, { actor }: Pick<Identity, 'actor'>) {
  const { id, note: text, created_at, created_by: createdBy } = note;
  return { id, note: text, createdAt: isoTime(created_at), createdBy, isOwn: isBy(note, actor) };
}
