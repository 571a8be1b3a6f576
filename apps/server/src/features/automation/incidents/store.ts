import type { Db, Tx } from '#storage/tx.ts';
import { sql } from '#storage/tx.ts';
import type { OpenIncident } from './grouping.ts';

/** Rows that one statement inserts: PostgreSQL takes 65,535 parameters. */
const rowsPerInsert = 1000;

/** Returns the newest incident of each project and all that hold a flag there, oldest first. */
export async function openIncidents(db: Db, projects: readonly string[]): Promise<OpenIncident[]> {
  const holds = await db
    .selectFrom('incident_holds as h')
    .innerJoin('incidents as i', 'i.id', 'h.incident_id')
    .select(['h.incident_id', 'h.hold_id', 'h.feature_name'])
    .where('i.project', 'in', projects)
    .orderBy('h.hold_id')
    .execute();
  const newest = await db
    .selectFrom('incidents')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('project', 'in', projects)
    .groupBy('project')
    .execute();
  const ids = [...new Set([...holds.map(({ incident_id }) => incident_id), ...newest.map(({ id }) => id)])];
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('incidents as i')
    .leftJoin('events as e', 'e.id', 'i.last_event_id')
    .select(['i.id', 'i.project', 'i.started_at', 'i.last_at', 'i.last_event_id'])
    .select(['e.run_id', 'e.feature_name', 'e.group_id'])
    .where('i.id', 'in', ids)
    .orderBy('i.id')
    .execute();
  const flags = await flagsOfIncidents(db, ids);
  return rows.map((row) => ({
    id: row.id,
    project: row.project,
    startedAt: row.started_at,
    lastAt: row.last_at,
    last: { id: row.last_event_id, runId: row.run_id, featureName: row.feature_name, groupId: row.group_id },
    flags: new Set(flags.get(row.id)),
    holds: new Map(
      holds.filter(({ incident_id }) => incident_id === row.id).map((hold) => [hold.hold_id, hold.feature_name]),
    ),
  }));
}

/** Returns the flags that the events of incidents name, in the order of their first events. */
export async function flagsOfIncidents(db: Db, ids: readonly number[]): Promise<Map<number, string[]>> {
  const flags = new Map<number, string[]>();
  if (ids.length === 0) return flags;
  const rows = await db
    .selectFrom('incident_events as m')
    .innerJoin('events as e', 'e.id', 'm.event_id')
    .select(['m.incident_id', 'e.feature_name'])
    .where('m.incident_id', 'in', ids)
    .where('e.feature_name', 'is not', null)
    .groupBy(['m.incident_id', 'e.feature_name'])
    .orderBy((eb) => eb.fn.min('m.event_id'))
    .execute();
  for (const [id, ofIncident] of Map.groupBy(rows, ({ incident_id }) => incident_id))
    flags.set(
      id,
      ofIncident.flatMap(({ feature_name }) => feature_name ?? []),
    );
  return flags;
}

/** Stores a new or changed incident with its holds. `held` are its stored holds; undefined for a new incident. */
export async function saveIncident(tx: Tx, incident: OpenIncident, held: readonly number[] | undefined): Promise<void> {
  const { id, project, startedAt, lastAt, last, holds } = incident;
  const changing = { last_at: lastAt, last_event_id: last.id };
  if (held === undefined)
    await tx.db
      .insertInto('incidents')
      .values({ id, project, started_at: startedAt, ...changing })
      .execute();
  else await tx.db.updateTable('incidents').set(changing).where('id', '=', id).execute();
  const ended = (held ?? []).filter((hold) => !holds.has(hold));
  if (ended.length > 0)
    await tx.db.deleteFrom('incident_holds').where('incident_id', '=', id).where('hold_id', 'in', ended).execute();
  const placed = [...holds].filter(([hold]) => held?.includes(hold) !== true);
  for (let from = 0; from < placed.length; from += rowsPerInsert)
    await tx.db
      .insertInto('incident_holds')
      .values(
        placed
          .slice(from, from + rowsPerInsert)
          .map(([hold_id, feature_name]) => ({ incident_id: id, hold_id, feature_name })),
      )
      .execute();
}

export async function insertMembers(
  tx: Tx,
  members: readonly { readonly event_id: number; readonly incident_id: number }[],
): Promise<void> {
  for (let from = 0; from < members.length; from += rowsPerInsert)
    await tx.db
      .insertInto('incident_events')
      .values(members.slice(from, from + rowsPerInsert))
      .execute();
}

/** Deletes holds that have ended from all incidents. */
export async function forgetHolds(tx: Tx, holds: readonly number[]): Promise<void> {
  if (holds.length > 0) await tx.db.deleteFrom('incident_holds').where('hold_id', 'in', holds).execute();
}

export interface IncidentRow {
  readonly id: number;
  readonly project: string;
  readonly startedAt: number;
  readonly lastAt: number;
  readonly changes: number;
  readonly runs: number;
  readonly signals: number;
  /** The first signal; null without one. */
  readonly firstSignal: number | null;
  readonly openHolds: number;
}

/** The incidents to list. Times in milliseconds UTC. */
export interface IncidentFilter {
  readonly hidden: ReadonlySet<string>;
  readonly id?: number;
  readonly project?: string | undefined;
  /** Incidents with changes since this time. */
  readonly from?: number | undefined;
  /** Incidents that began before this time. */
  readonly to?: number | undefined;
}

function filtered(db: Db, { hidden, id, project, from, to }: IncidentFilter) {
  let query = db.selectFrom('incidents as i');
  if (hidden.size > 0) query = query.where('i.project', 'not in', [...hidden]);
  if (id !== undefined) query = query.where('i.id', '=', id);
  if (project !== undefined) query = query.where('i.project', '=', project);
  if (from !== undefined) query = query.where('i.last_at', '>=', from);
  if (to !== undefined) query = query.where('i.started_at', '<', to);
  return query;
}

export async function countIncidents(db: Db, filter: IncidentFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns a page of incidents, newest first. */
export async function listIncidents(
  db: Db,
  { offset, limit, ...filter }: IncidentFilter & { readonly offset: number; readonly limit: number },
): Promise<IncidentRow[]> {
  const rows = await filtered(db, filter).selectAll().orderBy('i.id', 'desc').offset(offset).limit(limit).execute();
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const counts = await db
    .selectFrom('incident_events as m')
    .innerJoin('events as e', 'e.id', 'm.event_id')
    .select((eb) => [
      'm.incident_id',
      eb.fn.countAll<number>().as('changes'),
      eb.fn.count<number>('e.run_id').distinct().as('runs'),
      eb.fn.count<number>('e.signal_id').distinct().as('signals'),
      eb.fn.min('e.signal_id').as('firstSignal'),
    ])
    .where('m.incident_id', 'in', ids)
    .groupBy('m.incident_id')
    .execute();
  const open = await db
    .selectFrom('incident_holds as h')
    // A hold whose flag or environment was deleted has no event about its end.
    .innerJoin('feature_leases as l', 'l.id', 'h.hold_id')
    .select((eb) => ['h.incident_id', eb.fn.countAll<number>().as('count')])
    .where('h.incident_id', 'in', ids)
    .groupBy('h.incident_id')
    .execute();
  return rows.map(({ id, project, started_at: startedAt, last_at: lastAt }) => {
    const counted = counts.find(({ incident_id }) => incident_id === id);
    return {
      ...{ id, project, startedAt, lastAt },
      changes: Number(counted?.changes ?? 0),
      runs: Number(counted?.runs ?? 0),
      signals: Number(counted?.signals ?? 0),
      firstSignal: counted?.firstSignal ?? null,
      openHolds: Number(open.find(({ incident_id }) => incident_id === id)?.count ?? 0),
    };
  });
}

/** Returns the first events of incidents, those of the first incident first, each oldest first. */
export async function eventsOfIncidents(db: Db, ids: readonly number[], limit: number) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('incident_events as m')
    .innerJoin('events as e', 'e.id', 'm.event_id')
    .selectAll('e')
    .select('m.incident_id')
    .where('m.incident_id', 'in', ids)
    .orderBy('m.incident_id')
    .orderBy('m.event_id')
    .limit(limit)
    .execute();
}

/** Returns the incidents of events; an event without an incident has no entry. */
export async function incidentsOfEvents(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('incident_events').selectAll().where('event_id', 'in', ids).execute();
  return new Map(rows.map(({ event_id, incident_id }) => [event_id, incident_id]));
}

/** Matches incidents whose events retention has deleted. */
export const withoutEvents = sql<boolean>`not exists (select 1 from incident_events m where m.incident_id = incidents.id)`;
