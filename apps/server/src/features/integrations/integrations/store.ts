import { type EventType, signingAlgorithms } from '@yardarm/contract';
import { z } from 'zod';
import { insertHealth, type SigningKey } from '#features/platform/deliveries/index.ts';
import { jsonColumn } from '#storage/json-column.ts';
import { openedIn, sealedIn } from '#storage/sealed-text.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Integration } from './integration.ts';

const textList = z.array(z.string());

const columns = {
  parameters: jsonColumn<Integration['parameters']>('integrations.parameters', z.record(z.string(), z.string())),
  events: jsonColumn<readonly string[]>('integrations.events', textList),
  projects: jsonColumn<readonly string[]>('integrations.projects', textList),
  environments: jsonColumn<readonly string[]>('integrations.environments', textList),
  actors: jsonColumn<readonly number[]>('integrations.actors', z.array(z.number())),
};

const signingKeysColumn = jsonColumn<readonly SigningKey[]>(
  'integrations.signing_keys',
  z.array(
    z.object({
      algorithm: z.enum(signingAlgorithms),
      secret: z.string(),
      createdAt: z.number(),
      until: z.number().nullable(),
    }),
  ),
);

export async function listIntegrations(db: Db): Promise<Integration[]> {
  return (await db.selectFrom('integrations').selectAll().orderBy('id').execute()).map((row) => fromRow(db, row));
}

export async function findIntegration(db: Db, id: number): Promise<StoredIntegration | undefined> {
  const row = await db.selectFrom('integrations').selectAll().where('id', '=', id).executeTakeFirst();
  return row && fromRow(db, row);
}

/** An integration with the last event whose delivery was queued. */
export interface StoredIntegration extends Integration {
  readonly cursor: number;
}

/** Inserts an integration, whose deliveries start with the next event. */
export async function insertIntegration(tx: Tx, integration: Omit<Integration, 'id'>): Promise<Integration> {
  const row = await tx.db
    .insertInto('integrations')
    .values({ ...toRow(tx.db, integration), cursor: await newestEvent(tx.db) })
    .returningAll()
    .executeTakeFirstOrThrow();
  await insertHealth(tx, row.id);
  return fromRow(tx.db, row);
}

/** Updates an integration. When it was disabled before, its deliveries start with the next event. */
export async function updateIntegration(tx: Tx, before: Integration, after: Integration): Promise<void> {
  const cursor = before.enabled ? await queuedUntil(tx.db, before) : await newestEvent(tx.db);
  await tx.db
    .updateTable('integrations')
    .set({ ...toRow(tx.db, after), cursor })
    .where('id', '=', after.id)
    .execute();
}

/**
 * Returns the last event before the first whose delivery is not queued. The stored cursor may be far behind, because
 * it does not move while no event has one of the types: with an added type, the receiver would get its old events.
 */
async function queuedUntil(db: Db, integration: Integration): Promise<number> {
  const [waiting] = await nextEvents(db, integration, 1);
  return waiting === undefined ? newestEvent(db) : waiting.id - 1;
}

export async function deleteIntegration(tx: Tx, id: number): Promise<void> {
  await tx.db.deleteFrom('integrations').where('id', '=', id).execute();
}

/** Returns the id of the newest event. */
async function newestEvent(db: Db): Promise<number> {
  const row = await db.selectFrom('counters').select('value').where('name', '=', 'event').executeTakeFirstOrThrow();
  return row.value;
}

/** Returns the id of the newest event and the time of the next digest, in one statement: each round reads them. */
export async function newestAndDigest(db: Db): Promise<{ readonly newest: number; readonly digestAt: number | null }> {
  const row = await db
    .selectFrom('counters')
    .select((eb) => [
      'value',
      eb
        .selectFrom('message_threads')
        .select((next) => next.fn.min('digest_at').as('at'))
        .where('digest_at', 'is not', null)
        .as('digestAt'),
    ])
    .where('name', '=', 'event')
    .executeTakeFirstOrThrow();
  return { newest: row.value, digestAt: row.digestAt };
}

/** Lists deliveries that were attempted or have ended, with their events, newest first. */
export async function listAttempted(db: Db, id: number, page: { readonly offset: number; readonly limit: number }) {
  return db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .selectAll('e')
    .select([
      'd.id as deliveryId',
      'd.created_at as queuedAt',
      'd.state',
      'd.details',
      'd.attempts',
      'd.status',
      'd.next_attempt_at as nextAttemptAt',
    ])
    .where('d.integration_id', '=', id)
    .where((eb) => eb.or([eb('d.attempts', '>', 0), eb('d.state', '<>', 'waiting')]))
    .orderBy('d.id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
}

/** Returns events by their ids. */
export async function eventsById(db: Db, ids: readonly number[]): Promise<Map<number, EventRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('events').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the event of a type that a request has recorded. */
export async function eventOfRequest(db: Db, type: EventType, requestId: string): Promise<EventRow | undefined> {
  return db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', type)
    .where('request_id', '=', requestId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
}

/** Returns the signing keys of integrations by id. An integration from before signing has none. */
export async function signingKeysOf(db: Db, ids: readonly number[]): Promise<Map<number, readonly SigningKey[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('integrations').select(['id', 'signing_keys']).where('id', 'in', ids).execute();
  return new Map(
    rows.map(({ id, signing_keys: sealed }) => {
      const keys = openedIn(db, sealed, `The integration ${id}`);
      return [id, keys === undefined ? [] : signingKeysColumn.parse(keys, id)];
    }),
  );
}

export async function saveSigningKeys(tx: Tx, id: number, keys: readonly SigningKey[]): Promise<void> {
  const sealed = sealedIn(tx.db, signingKeysColumn.write(keys));
  await tx.db.updateTable('integrations').set({ signing_keys: sealed }).where('id', '=', id).execute();
}

export async function countWaiting(db: Db, id: number): Promise<number> {
  const row = await db
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('integration_id', '=', id)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

/** Returns the next events after the cursor of an integration that have one of its types, in order. */
export async function nextEvents(db: Db, { id, events }: Integration, limit: number): Promise<EventRow[]> {
  if (events.length === 0) return [];
  return db
    .selectFrom('events as e')
    .innerJoin('integrations as i', (join) => join.on('i.id', '=', id).onRef('e.id', '>', 'i.cursor'))
    .selectAll('e')
    .where('e.type', 'in', events)
    .orderBy('e.id')
    .limit(limit)
    .execute();
}

/** Moves the cursor of an enabled integration. Returns false when it is not at `from` any more. */
export async function moveCursor(tx: Tx, id: number, from: number, to: number): Promise<boolean> {
  const moved = await tx.db
    .updateTable('integrations')
    .set({ cursor: to })
    .where('id', '=', id)
    .where('cursor', '=', from)
    .where('enabled', '=', 1)
    .returning('id')
    .executeTakeFirst();
  return moved !== undefined;
}

/** Returns the projects that everyone may see. */
export async function openProjects(db: Db): Promise<Set<string>> {
  const rows = await db.selectFrom('projects').select('id').where('mode', '<>', 'private').execute();
  return new Set(rows.map(({ id }) => id));
}

function toRow(db: Db, integration: Omit<Integration, 'id'>) {
  const { provider, description, enabled, parameters, events, projects, environments, seesAll } = integration;
  const { ordered, actors, cause } = integration;
  return {
    provider,
    description,
    enabled: Number(enabled),
    parameters: sealedIn(db, columns.parameters.write(parameters)),
    events: columns.events.write(events),
    projects: columns.projects.write(projects),
    environments: columns.environments.write(environments),
    sees_all: Number(seesAll),
    ordered: Number(ordered),
    actors: columns.actors.write(actors),
    cause,
  };
}

function fromRow(db: Db, row: Row<'integrations'>): StoredIntegration {
  return {
    id: row.id,
    provider: row.provider,
    description: row.description,
    enabled: row.enabled === 1,
    parameters: columns.parameters.parse(openedIn(db, row.parameters, `The integration ${row.id}`) ?? '{}', row.id),
    events: columns.events.parse(row.events, row.id),
    projects: columns.projects.parse(row.projects, row.id),
    environments: columns.environments.parse(row.environments, row.id),
    seesAll: row.sees_all === 1,
    ordered: row.ordered === 1,
    actors: columns.actors.parse(row.actors, row.id),
    cause: row.cause as Integration['cause'],
    cursor: row.cursor,
  };
}
