import type { EventType } from '@yardarm/contract';
import { z } from 'zod';
import type { BeforeCommit } from '#storage/commit/write.ts';
import { jsonColumn } from '#storage/json-column.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db, NewEvent } from '#storage/tx.ts';

/** A kind of state that an event begins and another event ends. Holds and blocked action sets record their end. */
interface StateKind {
  readonly begins: EventType;
  /** Events that change the state; the newest says what it is. */
  readonly updates?: EventType;
  readonly ends: EventType;
  /** The events that delete its subject. */
  readonly deletions: readonly EventType[];
  readonly keyOf: (event: EventRow) => string;
  /** Returns the keys of the subjects that exist. */
  readonly existing: (db: Db, events: readonly EventRow[]) => Promise<ReadonlySet<string>>;
  /** Returns what the event of the end has, from the data of the newest event before. */
  readonly end: (data: Readonly<Record<string, unknown>>) => Pick<NewEvent, 'data' | 'preData'>;
}

const dataColumn = jsonColumn('events.data', z.record(z.string(), z.unknown()));
const dataOf = ({ data, id }: EventRow) => dataColumn.parse(data ?? '{}', id);
const ofId = (event: EventRow) => String(dataOf(event)['id']);
const ofPlace = ({ feature_name: name, environment }: EventRow) => `${environment}/${name}`;

/** The events that delete a flag, or its state in environments. */
const flagDeletions: readonly EventType[] = [
  'feature-deleted',
  'project-environment-removed',
  'environment-deleted',
  'project-deleted',
];
const ofEndpoint = {
  deletions: ['signal-endpoint-deleted'],
  keyOf: ofId,
  existing: async (db: Db, events: readonly EventRow[]) => {
    const ids = events.map((event) => Number(ofId(event)));
    const rows = await db.selectFrom('signal_endpoints').select('id').where('id', 'in', ids).execute();
    return new Set(rows.map(({ id }) => String(id)));
  },
} as const;

const kinds: readonly StateKind[] = [
  {
    begins: 'safeguard-no-data',
    ends: 'safeguard-no-data-ended',
    deletions: ['safeguard-deleted', 'release-plan-removed', ...flagDeletions],
    keyOf: ofId,
    existing: async (db, events) => {
      const rows = await db.selectFrom('safeguards').select('id').where('id', 'in', events.map(ofId)).execute();
      return new Set(rows.map(({ id }) => id));
    },
    end: ({ reason: _, ...data }) => ({ data: { ...data, value: null } }),
  },
  {
    begins: 'feature-override-placed',
    updates: 'feature-override-updated',
    ends: 'feature-override-ended',
    deletions: flagDeletions,
    keyOf: ofPlace,
    existing: async (db, events) => {
      const names = events.flatMap(({ feature_name: name }) => name ?? []);
      const overrides = db.selectFrom('automation_overrides').select(['feature_name', 'environment']);
      const rows = await overrides.where('feature_name', 'in', names).execute();
      return new Set(rows.map(({ feature_name: name, environment }) => `${environment}/${name}`));
    },
    end: (preData) => ({ preData }),
  },
  { begins: 'signal-endpoint-silent', ends: 'signal-endpoint-heard', ...ofEndpoint, end: (data) => ({ data }) },
  {
    begins: 'alerts-without-effect',
    ends: 'alerts-without-effect-ended',
    ...ofEndpoint,
    end: ({ id, name }) => ({ data: { id, name } }),
  },
];

/** The maximum number of events of a kind that are read to find the states that a deletion leaves open. */
const maxEvents = 1000;

/**
 * Records, in the transaction that deletes a subject, the end of the states that events began about it: nothing else
 * would end them for those who read the events, and messages about them would stay open.
 */
export const endLostStates: BeforeCommit = async ({ db }, { events }) => {
  const ends: NewEvent[] = [];
  for (const kind of kinds) {
    const deletions = events.filter(({ type }) => kind.deletions.includes(type));
    if (deletions.length === 0) continue;
    const open = await openStates(db, kind);
    const concerned = open.filter((event) => deletions.some((deletion) => concerns(deletion, event)));
    if (concerned.length === 0) continue;
    const existing = await kind.existing(db, concerned);
    for (const event of concerned) {
      if (existing.has(kind.keyOf(event))) continue;
      const { project, feature_name: featureName, environment } = event;
      ends.push({ type: kind.ends, project, featureName, environment, ...kind.end(dataOf(event)) });
    }
  }
  if (ends.length === 0) return undefined;
  return async (tx) => {
    for (const event of ends) tx.record(event);
  };
};

/** Returns the newest event of each state that has not ended. */
async function openStates(db: Db, { begins, updates, ends, keyOf }: StateKind): Promise<EventRow[]> {
  const types = [begins, ends, ...(updates === undefined ? [] : [updates])];
  const rows = await db
    .selectFrom('events')
    .selectAll()
    .where('type', 'in', types)
    .orderBy('id', 'desc')
    .limit(maxEvents)
    .execute();
  const newest = new Map<string, EventRow>();
  for (const row of rows) {
    const key = keyOf(row);
    if (!newest.has(key)) newest.set(key, row);
  }
  return [...newest.values()].filter(({ type }) => type !== ends);
}

/** Returns whether the subject of an event can be one that a deletion deletes. */
function concerns(deletion: NewEvent, { project, feature_name: name, environment }: EventRow): boolean {
  const isWithin = (part: string | null | undefined, of: string | null) => part == null || of === null || part === of;
  return (
    isWithin(deletion.project, project) &&
    isWithin(deletion.featureName, name) &&
    isWithin(deletion.environment, environment)
  );
}
