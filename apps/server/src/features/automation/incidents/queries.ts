import { type EventType, integrationEventPattern, type NormalizedSignal } from '@yardarm/contract';
import { visibleEvents } from '#features/log/events/index.ts';
import { findDigests } from '#features/signals/signals/index.ts';
import type { EventRow } from '#storage/tables/events.ts';
import type { Db } from '#storage/tx.ts';

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
  {
    flags,
    hidden,
    ...part
  }: IncidentPart & { readonly flags: readonly string[]; readonly hidden: ReadonlySet<string> },
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

/** Returns events by their ids. */
export async function findEvents(db: Db, ids: readonly number[]): Promise<Map<number, EventRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('events').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
