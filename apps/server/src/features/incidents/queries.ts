import { type EventType, holdEffects, integrationEventPattern, type NormalizedSignal } from '@yardarm/contract';
import { z } from 'zod';
import { jsonColumn } from '../../storage/json-column.ts';
import type { EventRow } from '../../storage/tables/events.ts';
import type { Db } from '../../storage/tx.ts';
import { visibleEvents } from '../events/index.ts';
import { findDigests } from '../signals/index.ts';
import type { Change } from './grouping.ts';

/** A change with its event. */
export interface EventChange extends Change {
  readonly row: EventRow;
}

/** The maximum number of changes of automation that are grouped. */
const maxChanges = 5000;

const heldTypes: readonly EventType[] = ['feature-lease-placed', 'feature-lease-updated', 'feature-lease-stepped-down'];
const endTypes: readonly EventType[] = ['feature-lease-released', 'feature-lease-expired'];

/** The fields of a hold that its events have in all versions. */
const holdColumn = jsonColumn(
  'events.data',
  z.object({
    id: z.number(),
    effect: z.enum(holdEffects),
    rollout: z.number().nullable(),
    reason: z.string().nullable(),
    heldBy: z.object({ name: z.string() }),
    placedAt: z.string(),
  }),
);

export type RecordedHold = ReturnType<typeof holdColumn.parse>;

/** Returns the hold of an event that placed, updated or ended it; undefined for other events. */
export function holdOfEvent(row: Pick<EventRow, 'id' | 'type' | 'data' | 'pre_data'>): RecordedHold | undefined {
  const type = row.type as EventType;
  const text = heldTypes.includes(type) ? row.data : endTypes.includes(type) ? row.pre_data : null;
  return text === null ? undefined : holdColumn.parse(text, row.id);
}

/** The events that say how a run went. They change no flag, so a run that only failed makes no incident. */
const aboutRuns = ['action-run-failed', 'action-run-stopped', 'action-call-given-up'] as const satisfies EventType[];

/** The changes to read. Times in milliseconds UTC. */
export interface ChangeRange {
  readonly hidden: ReadonlySet<string>;
  readonly project?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** The id of the first event to read. */
  readonly since?: number;
}

/**
 * Returns the changes that runs made, with the ends of holds since the first of them, oldest first. At most the newest
 * 5,000 changes are read, or the first 5,000 from an event `since`. `held` are the ids of their holds that exist.
 */
export async function changesOfRuns(
  db: Db,
  { hidden, project, from, to, since }: ChangeRange,
): Promise<{ readonly changes: EventChange[]; readonly held: ReadonlySet<number>; readonly truncated: boolean }> {
  const visible = visibleEvents({ onlyInProjects: true, hidden });
  const select = () => {
    let query = db.selectFrom('events').selectAll();
    for (const condition of visible) query = query.where(condition);
    if (project !== undefined) query = query.where('project', '=', project);
    if (to !== undefined) query = query.where('created_at', '<', to);
    return query;
  };
  let byRuns = select().where('run_id', 'is not', null).where('type', 'not in', aboutRuns).limit(maxChanges);
  if (from !== undefined) byRuns = byRuns.where('created_at', '>=', from);
  const rows =
    since === undefined
      ? await byRuns.orderBy('id', 'desc').execute()
      : await byRuns.where('id', '>=', since).orderBy('id').execute();
  const ids = rows.map(({ id }) => id);
  const first = Math.min(...ids);
  const ends =
    rows.length === 0
      ? []
      : await select()
          .where('type', 'in', endTypes)
          .where('run_id', 'is', null)
          .where('id', '>', first)
          .orderBy('id')
          .limit(maxChanges)
          .execute();
  const changes = [...rows, ...ends].toSorted((a, b) => a.id - b.id).map(toChange);
  const held = await existingHolds(db, [...new Set(changes.flatMap(({ holdId }) => holdId ?? []))]);
  return { changes, held, truncated: rows.length === maxChanges };
}

/** Returns which of these holds exist. */
async function existingHolds(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('feature_leases').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

function toChange(row: EventRow): EventChange {
  const hold = holdOfEvent(row);
  return {
    row,
    id: row.id,
    at: row.created_at,
    type: row.type as EventType,
    project: row.project ?? '',
    featureName: row.feature_name,
    environment: row.environment,
    signalId: row.signal_id,
    runId: row.run_id,
    holdId: hold?.id ?? null,
    holdPlacedAt: hold === undefined ? null : Date.parse(hold.placedAt),
  };
}

/** Returns the project of an event that a run caused; undefined when there is no such event. */
export async function projectOfChange(db: Db, id: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('events')
    .select('project')
    .where('id', '=', id)
    .where('run_id', 'is not', null)
    .executeTakeFirst();
  return row?.project ?? undefined;
}

/** A part of the event log: from the event `first` until the time `until` in milliseconds UTC (null: until now). */
interface IncidentPart {
  readonly first: number;
  readonly until: number | null;
  readonly limit: number;
}

/**
 * Returns the changes of flags that no run made, oldest first. Leaves out those in `hidden` projects, to which a flag
 * may have moved.
 */
export async function changesOfPeople(
  db: Db,
  { flags, hidden, ...part }: IncidentPart & Pick<ChangeRange, 'hidden'> & { readonly flags: readonly string[] },
): Promise<EventRow[]> {
  if (flags.length === 0) return [];
  let query = withoutRun(db, part).where('feature_name', 'in', flags);
  for (const condition of visibleEvents({ onlyInProjects: true, hidden })) query = query.where(condition);
  const rows = await query.execute();
  return rows.filter(({ type }) => integrationEventPattern.test(type));
}

/** Returns the events that tell that an action set became unable to run, or able to run again, oldest first. */
export function blockedDuring(db: Db, { project, ...part }: IncidentPart & { readonly project: string }) {
  const types: readonly EventType[] = ['action-set-blocked', 'action-set-unblocked'];
  return withoutRun(db, part).where('project', '=', project).where('type', 'in', types).execute();
}

function withoutRun(db: Db, { first, until, limit }: IncidentPart) {
  const query = db
    .selectFrom('events')
    .selectAll()
    .where('run_id', 'is', null)
    .where('id', '>=', first)
    .orderBy('id')
    .limit(limit);
  return until === null ? query : query.where('created_at', '<=', until);
}

/** A signal of an incident. */
export interface IncidentSignal {
  readonly id: number;
  readonly at: number;
  readonly endpoint: string | null;
  readonly title: string | null;
  readonly state: NormalizedSignal['state'];
}

/** Returns signals by their ids, oldest first. Deleted signals have a time and an endpoint only. */
export async function findSignals(db: Db, ids: readonly number[]): Promise<IncidentSignal[]> {
  if (ids.length === 0) return [];
  const [rows, digests, endpoints] = await Promise.all([
    db.selectFrom('signals').select(['id', 'created_at', 'endpoint_id', 'normalized']).where('id', 'in', ids).execute(),
    findDigests(db, ids),
    db.selectFrom('signal_endpoints').select(['id', 'name']).execute(),
  ]);
  const names = new Map(endpoints.map(({ id, name }) => [id, name]));
  const stored = rows.map(({ id, created_at: at, endpoint_id, normalized }) => {
    const known = normalized === null ? undefined : (JSON.parse(normalized) as NormalizedSignal);
    const endpoint = names.get(endpoint_id) ?? null;
    return { id, at, endpoint, title: known?.title ?? null, state: known?.state ?? null };
  });
  const deleted = [...digests.values()].map(({ signalId: id, createdAt: at, endpointId }) => {
    return { id, at, endpoint: names.get(endpointId) ?? null, title: null, state: null };
  });
  return [...stored, ...deleted].toSorted((a, b) => a.id - b.id);
}
