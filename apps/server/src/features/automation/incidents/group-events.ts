import type { JobKind } from '#jobs/runner.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Database } from '#storage/database.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { type Change, Grouping, type OpenIncident } from './grouping.ts';
import { changeOf, typesWithoutRun } from './membership.ts';
import { forgetHolds, insertMembers, openIncidents, saveIncident } from './store.ts';

const author: Author = { actor: systemActor, cause: {} };
/** The number of ids of events that one step reads: few, so that other changes do not wait long. */
const stepIds = 2000;
/** The most steps that a request waits for. After an update, the events of before take more. */
const maxSteps = 10;
const restMs = 60_000;

/**
 * Groups the next events of the log into incidents, in one transaction with the position: an event is never lost and
 * never grouped twice. Returns whether more events may follow. Processes take turns at the row of the position.
 */
async function groupNextEvents(tx: Tx): Promise<boolean> {
  const cursor = await tx.db
    .updateTable('incident_cursor')
    .set((eb) => ({ event_id: eb.ref('event_id') }))
    .returning('event_id')
    .executeTakeFirstOrThrow();
  const newest = await newestEvent(tx.db);
  const first = await tx.db
    .selectFrom('events')
    .select('id')
    .where('id', '>', cursor.event_id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const until = first === undefined ? newest : Math.min(first.id + stepIds - 1, newest);
  if (until <= cursor.event_id) return false;
  const rows = await eventsBetween(tx.db, cursor.event_id, until);
  await groupChanges(
    tx,
    rows.flatMap((row) => changeOf(row) ?? []),
  );
  await tx.db.updateTable('incident_cursor').set({ event_id: until }).execute();
  return until < newest;
}

async function eventsBetween(db: Db, after: number, until: number): Promise<EventRow[]> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', until)
    .where((eb) => eb.or([eb('run_id', 'is not', null), eb('type', 'in', typesWithoutRun)]))
    .orderBy('id')
    .execute();
}

async function groupChanges(tx: Tx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const known = await openIncidents(tx.db, [...new Set(changes.map(({ project }) => project))]);
  const heldBefore = new Map(known.map(({ id, holds }) => [id, [...holds.keys()]]));
  const grouping = new Grouping(known);
  const touched = new Map<number, OpenIncident>(known.map((incident) => [incident.id, incident]));
  const members: { event_id: number; incident_id: number }[] = [];
  for (const change of changes) {
    const incident = grouping.add(change);
    if (incident === undefined) continue;
    touched.set(incident.id, incident);
    members.push({ event_id: change.id, incident_id: incident.id });
  }
  const last = new Map(members.map(({ event_id, incident_id }) => [incident_id, event_id]));
  for (const incident of touched.values()) {
    const held = heldBefore.get(incident.id);
    const isSame =
      held !== undefined && held.length === incident.holds.size && held.every((id) => incident.holds.has(id));
    if (!isSame || last.has(incident.id)) await saveIncident(tx, incident, held);
  }
  await insertMembers(tx, members);
  // The flag of a hold may have moved to another project, whose incidents are others.
  await forgetHolds(
    tx,
    changes.flatMap(({ holdId, endsHold }) => (endsHold && holdId !== null ? [holdId] : [])),
  );
}

async function newestEvent(db: Db): Promise<number> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', 'event').executeTakeFirstOrThrow();
  return row.value;
}

/** Groups events each minute, so that retention deletes none that is not grouped yet. Readers group what is newer. */
export const incidentGrouping: JobKind = {
  kind: 'incident-grouping',
  recurring: true,
  run: async (tx) => ((await groupNextEvents(tx)) ? tx.now : tx.now + restMs),
};

/**
 * Groups the events that are not grouped yet. Returns false when so many wait that the caller should not: then
 * incidents lack the newest events.
 */
export async function catchUp({ db, writeQuietly }: Pick<Database, 'db' | 'writeQuietly'>): Promise<boolean> {
  const cursor = await db.selectFrom('incident_cursor').select('event_id').executeTakeFirstOrThrow();
  if (cursor.event_id >= (await newestEvent(db))) return true;
  for (let step = 0; step < maxSteps; step++)
    if (!(await writeQuietly('incidents', author, groupNextEvents))) return true;
  return false;
}
