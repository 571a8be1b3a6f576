import { type EventType, eventTypes } from '@yardarm/contract';
import { z } from 'zod';
import type { App } from '#app/app.ts';
import { eventTypeSchema } from '#features/platform/system/asyncapi.ts';
import type { EventRow } from '#storage/tables/events.ts';

/** The request id of events that a test records directly. Their data is not checked. */
export const madeUp = 'test';

/** The number of events that are checked when a server has started, because its start has recorded some. */
const atStart = 20;

/**
 * Compares the data of each event that a server records with the published JSON Schema of its type. Returns a function
 * that throws when an event did not match. A field that the schema does not name is a mismatch.
 */
export async function checkRecordedEvents({ database }: App): Promise<() => void> {
  const mismatches = new Set<string>();
  const check = (rows: readonly EventRow[]) => {
    for (const row of rows) for (const mismatch of mismatchesOf(row)) mismatches.add(mismatch);
  };
  database.feed.subscribe({ events: check, reset: () => undefined });
  check(await database.db.selectFrom('events').selectAll().orderBy('id', 'desc').limit(atStart).execute());
  return () => {
    if (mismatches.size > 0) throw new Error(`events differ from their schemas:\n${[...mismatches].join('\n')}`);
  };
}

function mismatchesOf({ type, data, pre_data, request_id }: EventRow): string[] {
  if (request_id === madeUp || !eventTypes.some((known) => known === type)) return [];
  const schemas = schemasOf(type as EventType);
  return [['data', schemas.data, data] as const, ['preData', schemas.preData, pre_data] as const].flatMap(
    ([name, schema, text]) => {
      const { error } = schema.safeParse(text === null ? null : JSON.parse(text));
      return error === undefined ? [] : [`${type} ${name}: ${z.prettifyError(error)} in ${text}`];
    },
  );
}

interface Schemas {
  readonly data: z.ZodType;
  readonly preData: z.ZodType;
}
const made = new Map<EventType, Schemas>();

function schemasOf(type: EventType): Schemas {
  const known = made.get(type);
  if (known !== undefined) return known;
  const { data, preData } = eventTypeSchema(type, 'http://localhost')['properties'] as Record<string, object>;
  const schemas = { data: z.fromJSONSchema(data as never), preData: z.fromJSONSchema(preData as never) };
  made.set(type, schemas);
  return schemas;
}
