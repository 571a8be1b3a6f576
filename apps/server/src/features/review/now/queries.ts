import {
  type EventType,
  integrationEventPattern,
  type NormalizedSignal,
  type RefusalReason,
  readableAuthor,
} from '@yardarm/contract';
import { labelOf, newestNumbers, visibleEvents } from '#features/log/events/index.ts';
import { signalHead, silenceTokenId } from '#features/signals/signals/index.ts';
import type { Database } from '#storage/database.ts';
import type { Db } from '#storage/tx.ts';

/** A change or a signal of the last hour. */
export interface Moment {
  readonly kind: 'event' | 'signal';
  readonly id: number;
  readonly at: number;
  readonly type: EventType | null;
  readonly label: string;
  readonly state: NormalizedSignal['state'];
  readonly by: string;
  readonly signalId: number | null;
  readonly runId: number | null;
  readonly project: string | null;
  readonly featureName: string | null;
  readonly environment: string | null;
}

const none = { type: null, state: null, signalId: null, runId: null } as const;
const nowhere = { project: null, featureName: null, environment: null } as const;

/** How many of the newest events are read, so that a quiet hour does not cause a search through the whole log. */
const maxRead = 1000;

/** Returns the newest events about flags in visible projects since a time, newest first. */
export async function changesSince(
  db: Db,
  { since, hidden, limit }: { readonly since: number; readonly hidden: ReadonlySet<string>; readonly limit: number },
): Promise<Moment[]> {
  let query = db
    .selectFrom('events')
    .select(['id', 'type', 'created_at'])
    .where('id', '>', (await newestNumbers(db)).eventId - maxRead);
  for (const condition of visibleEvents({ onlyInProjects: true, hidden })) query = query.where(condition);
  const heads = await query.orderBy('id', 'desc').execute();
  const ids = heads
    .filter(({ type, created_at }) => created_at >= since && integrationEventPattern.test(type))
    .slice(0, limit)
    .map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('events')
    .select(['id', 'type', 'created_at', 'created_by', 'signal_id', 'run_id'])
    .select(['project', 'feature_name', 'environment', 'data', 'pre_data'])
    .where('id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => ({
    ...none,
    kind: 'event',
    id: row.id,
    at: row.created_at,
    type: row.type as EventType,
    label: labelOf(row),
    by: readableAuthor(row.created_by),
    signalId: row.signal_id,
    runId: row.run_id,
    project: row.project,
    featureName: row.feature_name,
    environment: row.environment,
  }));
}

/** Returns the newest signals since a time, newest first. Their titles and states are included only `withTitle`. */
export async function signalsSince(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  { since, withTitle, limit }: { readonly since: number; readonly withTitle: boolean; readonly limit: number },
): Promise<Moment[]> {
  const rows = await db
    .selectFrom('signals as s')
    .leftJoin('signal_endpoints as e', 'e.id', 's.endpoint_id')
    .select(['s.id', 's.created_at', 'e.name', ...signalHead(engine)])
    // A silence is stored as a signal too; the list shows it as an event.
    .where('s.token_id', '!=', silenceTokenId)
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute();
  const recent = rows.filter(({ created_at }) => created_at >= since);
  return recent.map(({ id, created_at, title, state, name }) => {
    const by = name ?? 'deleted endpoint';
    return {
      ...none,
      ...nowhere,
      kind: 'signal',
      id,
      at: created_at,
      label: (withTitle ? title : null) ?? by,
      state: withTitle ? state : null,
      by,
    };
  });
}

/** Requests that a signal endpoint refused for one reason. */
export interface EndpointRefusal {
  readonly signalEndpointId: number;
  readonly name: string;
  readonly reason: RefusalReason;
  readonly count: number;
  readonly lastAt: number;
}

/** Returns the endpoints that refused requests since a time, the latest first. */
export async function refusalsSince(db: Db, since: number, limit: number): Promise<EndpointRefusal[]> {
  const rows = await db
    .selectFrom('signal_refusals as r')
    .innerJoin('signal_endpoints as e', 'e.id', 'r.endpoint_id')
    .select((eb) => ['e.id', 'e.name', 'r.reason', eb.fn.sum<number>('r.count').as('n')])
    .select((eb) => eb.fn.max('r.last_at').as('last_at'))
    .where('r.last_at', '>=', since)
    .groupBy(['e.id', 'e.name', 'r.reason'])
    .orderBy('last_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ id, name, reason, n, last_at }) => ({
    signalEndpointId: id,
    name,
    reason: reason as RefusalReason,
    count: Number(n),
    lastAt: Number(last_at),
  }));
}
