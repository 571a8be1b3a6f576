import { z } from 'zod';
import { jsonColumn } from '../../storage/json-column.ts';
import { openedIn, sealedIn } from '../../storage/sealed-text.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import type { Row } from '../../storage/tables.ts';
import type { Db, Tx } from '../../storage/tx.ts';
import type { Integration, Outcome } from './integration.ts';

const textList = z.array(z.string());

const columns = {
  parameters: jsonColumn<Integration['parameters']>('integrations.parameters', z.record(z.string(), z.string())),
  events: jsonColumn<readonly string[]>('integrations.events', textList),
  projects: jsonColumn<readonly string[]>('integrations.projects', textList),
  environments: jsonColumn<readonly string[]>('integrations.environments', textList),
};

/** The details of a delivery. */
export const detailsColumn = jsonColumn<Outcome['details']>(
  'integration_events.details',
  z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
);

export async function listIntegrations(db: Db): Promise<Integration[]> {
  return (await db.selectFrom('integrations').selectAll().orderBy('id').execute()).map((row) => fromRow(db, row));
}

export async function findIntegration(db: Db, id: number): Promise<Integration | undefined> {
  const row = await db.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirst();
  return row && fromRow(db, row);
}

/** Inserts an integration, whose deliveries start with the next event. */
export async function insertIntegration(tx: Tx, integration: Omit<Integration, 'id'>): Promise<Integration> {
  const row = await tx.db
    .insertInto('integrations')
    .values({ ...toRow(tx.db, integration), cursor: await newestEvent(tx.db), lease_holder: null, lease_until: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
  return fromRow(tx.db, row);
}

/** Updates an integration. When it `wasOff`, its deliveries start with the next event. */
export async function updateIntegration(tx: Tx, integration: Integration, wasOff: boolean): Promise<void> {
  const cursor = wasOff ? { cursor: await newestEvent(tx.db) } : {};
  await tx.db
    .updateTable('integrations')
    .set({ ...toRow(tx.db, integration), ...cursor })
    .where('id', '=', integration.id)
    .execute();
}

export async function deleteIntegration(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('integrations').where('id', '=', id).execute();
}

async function newestEvent(db: Db): Promise<number> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', 'event').executeTakeFirstOrThrow();
  return row.value;
}

/** Lists deliveries with their events, newest first. */
export async function listDeliveries(db: Db, id: number, page: { readonly offset: number; readonly limit: number }) {
  return db
    .selectFrom('integration_events as i')
    .innerJoin('events as e', 'e.id', 'i.event_id')
    .selectAll('e')
    .select([
      'i.id as deliveryId',
      'i.created_at as attemptedAt',
      'i.state',
      'i.state_details as stateDetails',
      'i.details',
    ])
    .where('i.integration_id', '=', id)
    .orderBy('i.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

/** Returns the next events after the cursor of an integration that have one of its types, in order. */
export async function nextEvents(db: Db, { id, events }: Integration, limit: number): Promise<EventRow[]> {
  if (events.length === 0) return [];
  return db
    .selectFrom('events as e')
    .innerJoin('integrations as i', (join) => join.on('i.id', '=', id).onRef('e.id', '>', 'i.cursor'))
    .selectAll('e')
    .where('e.type', 'in', events)
    .where('i.enabled', '=', 1)
    .orderBy('e.id')
    .limit(limit)
    .execute();
}

/** Acquires the lease of an integration until `until`. Returns false when another process holds it. */
export async function acquireLease(tx: Tx, id: number, holder: string, until: number): Promise<boolean> {
  const updated = await tx.db
    .updateTable('integrations')
    .set({ lease_holder: holder, lease_until: until })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('lease_until', '<', tx.now), eb('lease_holder', '=', holder)]))
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

/** Releases the lease of an integration. */
export async function releaseLease(tx: Tx, id: number, holder: string): Promise<void> {
  await tx.db
    .updateTable('integrations')
    .set({ lease_holder: null, lease_until: 0 })
    .where('id', '=', id)
    .where('lease_holder', '=', holder)
    .execute();
}

/** Moves the cursor of an integration to an event and renews the lease. Returns false when the lease was lost. */
export async function advanceCursor(
  tx: Tx,
  id: number,
  holder: string,
  eventId: number,
  until: number,
): Promise<boolean> {
  const updated = await tx.db
    .updateTable('integrations')
    .set({ cursor: eventId, lease_until: until })
    .where('id', '=', id)
    .where('lease_holder', '=', holder)
    // An integration that was disabled and enabled meanwhile has a later cursor.
    .where('cursor', '<', eventId)
    .returning('id')
    .executeTakeFirst();
  return updated !== undefined;
}

export async function insertDelivery(tx: Tx, id: number, eventId: number, outcome: Outcome): Promise<void> {
  await tx.db
    .insertInto('integration_events')
    .values({
      integration_id: id,
      event_id: eventId,
      created_at: tx.now,
      state: outcome.state,
      state_details: outcome.stateDetails,
      details: detailsColumn.write(outcome.details),
    })
    .execute();
}

/** Returns the projects that everyone may see. */
export async function openProjects(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('projects').select('id').where('mode', '<>', 'private').execute();
  return new Set(rows.map(({ id }) => id));
}

function toRow(db: Db, integration: Omit<Integration, 'id'>) {
  const { provider, description, enabled, parameters, events, projects, environments, seesAll } = integration;
  return {
    provider,
    description,
    enabled: Number(enabled),
    parameters: sealedIn(db, columns.parameters.write(parameters)),
    events: columns.events.write(events),
    projects: columns.projects.write(projects),
    environments: columns.environments.write(environments),
    sees_all: Number(seesAll),
  };
}

function fromRow(db: Db, row: Row<'integrations'>): Integration {
  return {
    id: row.id,
    provider: row.provider,
    description: row.description,
    enabled: row.enabled === 1,
    parameters: columns.parameters.parse(openedIn(db, row.parameters, `The integration ${row.id}`), row.id),
    events: columns.events.parse(row.events, row.id),
    projects: columns.projects.parse(row.projects, row.id),
    environments: columns.environments.parse(row.environments, row.id),
    seesAll: row.sees_all === 1,
  };
}
