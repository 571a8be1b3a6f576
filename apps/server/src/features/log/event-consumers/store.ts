import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventConsumerRow } from '#storage/tables/events.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Consumer, ConsumerFilters } from './consumer.ts';

const list = z.array(z.string()).nullable();
const filtersColumn = jsonColumn<ConsumerFilters>(
  'event_consumers.filters',
  z.object({ types: list, projects: list, environments: list, features: list }),
);

/** Returns all consumers by name. */
export async function listConsumers(db: Db): Promise<Consumer[]> {
  return (await db.selectFrom('event_consumers').selectAll().orderBy('name').execute()).map(toConsumer);
}

export async function findConsumer(db: Db, name: string): Promise<Consumer | undefined> {
  const row = await db.selectFrom('event_consumers').selectAll().where('name', '=', name).executeTakeFirst();
  return row && toConsumer(row);
}

export async function insertConsumer(tx: Tx, consumer: Consumer): Promise<void> {
  await tx.db.insertInto('event_consumers').values(toRow(consumer)).execute();
}

export async function updateConsumer(tx: Tx, consumer: Consumer): Promise<void> {
  await tx.db.updateTable('event_consumers').set(toRow(consumer)).where('name', '=', consumer.name).execute();
}

export async function deleteConsumer(tx: Tx, name: string): Promise<void> {
  await tx.db.deleteFrom('event_consumers').where('name', '=', name).execute();
}

function toRow(consumer: Consumer): EventConsumerRow {
  return {
    name: consumer.name,
    description: consumer.description,
    filters: JSON.stringify(consumer.filters),
    acknowledged: consumer.acknowledged,
    acknowledged_at: consumer.acknowledgedAt,
    epoch: consumer.epoch,
    worker: consumer.lease?.worker ?? null,
    leased_until: consumer.lease?.until ?? null,
    created_at: consumer.createdAt,
  };
}

function toConsumer(row: EventConsumerRow): Consumer {
  const { worker, leased_until } = row;
  return {
    name: row.name,
    description: row.description,
    filters: filtersColumn.parse(row.filters, row.name),
    acknowledged: row.acknowledged,
    acknowledgedAt: row.acknowledged_at,
    epoch: row.epoch,
    lease: worker === null || leased_until === null ? null : { worker, until: leased_until },
    createdAt: row.created_at,
  };
}
