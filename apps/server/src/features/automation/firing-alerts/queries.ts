import type { EventType, NormalizedSignal } from '@yardarm/contract';
import { z } from 'zod';
import { jsonColumn } from '#storage/json-column.ts';
import type { Db } from '#storage/tx.ts';
import { keptMs } from './track.ts';

/** The number of firing alerts that are read at once. */
const pageSize = 1000;
/** The maximum number of ended holds that are read for each kind of end, the newest first. */
const maxEnded = 500;

/** The holder of an ended hold. Events of earlier versions lack its set and key. */
const endedColumn = jsonColumn(
  'events.pre_data',
  z.object({
    heldBy: z.object({ key: z.string().nullable().optional(), actionSetId: z.number().nullable().optional() }),
  }),
);

/** An alert that fires. Times in milliseconds UTC. */
export interface FiringAlert {
  readonly signalEndpointId: number;
  readonly endpoint: string;
  readonly fingerprint: string;
  /** The latest signal about the alert, and the index of the alert in it. */
  readonly signalId: number;
  readonly element: number | null;
  readonly since: number;
  readonly lastAt: number;
}

/**
 * Returns the newest firing alerts, at most `limit`, that have no hold: neither one that their latest signal renewed,
 * nor one under their fingerprint. An alert is also returned when another alert later renewed a hold that both share.
 * Reads on past alerts that hold a flag, however many they are.
 */
export async function alertsWithoutOwnHold(db: Db, now: number, limit: number): Promise<FiringAlert[]> {
  const found: FiringAlert[] = [];
  for (let offset = 0; found.length < limit; offset += pageSize) {
    const { alerts, isLast } = await pageOfAlerts(db, now, offset);
    found.push(...alerts);
    if (isLast) break;
  }
  return found.slice(0, limit);
}

/** Returns a page of the firing alerts, newest first, without those that have a hold. */
async function pageOfAlerts(db: Db, now: number, offset: number): Promise<{ alerts: FiringAlert[]; isLast: boolean }> {
  const alerts = await db
    .selectFrom('firing_alerts as a')
    .innerJoin('signal_endpoints as e', 'e.id', 'a.endpoint_id')
    .select(['a.endpoint_id', 'a.fingerprint', 'a.signal_id', 'a.element', 'a.since', 'a.last_at', 'e.name'])
    .where('a.resolved_at', 'is', null)
    .where('a.last_at', '>=', now - keptMs)
    .orderBy('a.last_at', 'desc')
    .orderBy('a.endpoint_id')
    .orderBy('a.fingerprint')
    .offset(offset)
    .limit(pageSize)
    .execute();
  const [holding, named] = await Promise.all([
    runsWithHold(db, [...new Set(alerts.map(({ signal_id }) => signal_id))]),
    conditionsWithHold(db, [...new Set(alerts.map(({ endpoint_id }) => endpoint_id))]),
  ]);
  // A run without an element is for all alerts of its signal.
  const held = new Set(holding.map(({ signal_id, element }) => `${signal_id}/${element ?? 'all'}`));
  const withoutHold = alerts
    .filter(({ signal_id, element }) => !held.has(`${signal_id}/all`) && !held.has(`${signal_id}/${element}`))
    .filter(({ endpoint_id, fingerprint }) => !named.has(`${endpoint_id}/${fingerprint}`))
    .map(({ endpoint_id, name, fingerprint, signal_id, element, since, last_at }) => ({
      signalEndpointId: endpoint_id,
      endpoint: name,
      fingerprint,
      signalId: signal_id,
      element,
      since,
      lastAt: last_at,
    }));
  return { alerts: withoutHold, isLast: alerts.length < pageSize };
}

/** Returns the runs of signals that renewed a hold. */
async function runsWithHold(db: Db, signalIds: readonly number[]) {
  if (signalIds.length === 0) return [];
  return db
    .selectFrom('action_runs as r')
    .innerJoin('feature_leases as l', 'l.renewed_by_run_id', 'r.id')
    .select(['r.signal_id', 'r.element'])
    .where('r.signal_id', 'in', signalIds)
    .execute();
}

/**
 * Returns the alerts of endpoints that have a hold, as `endpoint/fingerprint`. A run of their latest signal may have
 * renewed none: the set was changed meanwhile, or the run failed.
 */
async function conditionsWithHold(db: Db, endpointIds: readonly number[]): Promise<ReadonlySet<string>> {
  if (endpointIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('feature_leases as l')
    .innerJoin('action_sets as s', 's.id', 'l.action_set_id')
    .select(['s.endpoint_id', 'l.alert_condition'])
    .where('s.endpoint_id', 'in', endpointIds)
    .where('l.alert_condition', 'is not', null)
    .execute();
  return new Set(rows.map(({ endpoint_id, alert_condition }) => `${endpoint_id}/${alert_condition}`));
}

/** A hold of a set. */
export interface HoldOfSet {
  readonly actionSetId: number;
  readonly featureName: string;
  readonly environment: string;
  readonly key: string;
}

/** Returns the holds of sets. */
export async function holdsOfSets(db: Db, setIds: readonly number[]): Promise<HoldOfSet[]> {
  if (setIds.length === 0) return [];
  const rows = await db
    .selectFrom('feature_leases as l')
    .select(['l.action_set_id', 'l.feature_name', 'l.environment', 'l.holder_key'])
    .where('l.action_set_id', 'in', setIds)
    .execute();
  return rows.map((row) => ({
    actionSetId: row.action_set_id ?? 0,
    featureName: row.feature_name,
    environment: row.environment,
    key: row.holder_key,
  }));
}

/** A hold of a set that has ended. The time in milliseconds UTC. */
export interface EndedHold {
  readonly actionSetId: number;
  readonly key: string | null;
  readonly featureName: string | null;
  readonly environment: string | null;
  readonly endedAt: number;
  /** The person who ended the hold, also by taking a run back, or the run that ended it; null when the hold expired. */
  readonly by:
    | { readonly kind: 'person'; readonly name: string }
    | { readonly kind: 'run'; readonly runId: number; readonly actionSetName: string | null }
    | null;
}

/** Returns the holds of sets among the newest 500 that were released and the newest 500 that expired, newest first. */
export async function endedHolds(db: Db): Promise<EndedHold[]> {
  const ofTypes = await Promise.all(endTypes.map((type) => holdsEndedWith(db, type)));
  return ofTypes.flat().toSorted((a, b) => b.endedAt - a.endedAt);
}

const endTypes = ['feature-lease-released', 'feature-lease-expired'] as const satisfies readonly EventType[];

async function holdsEndedWith(db: Db, type: (typeof endTypes)[number]): Promise<EndedHold[]> {
  const newest = db
    .selectFrom('events')
    .select(['id', 'type', 'run_id', 'created_at', 'created_by', 'pre_data', 'feature_name', 'environment'])
    .where('type', '=', type)
    .orderBy('id', 'desc')
    .limit(maxEnded)
    .as('e');
  const rows = await db
    .selectFrom(newest)
    .leftJoin('action_runs as r', 'r.id', 'e.run_id')
    .leftJoin('action_sets as s', 's.id', 'r.action_set_id')
    .select(['e.id', 'e.type', 'e.run_id', 'e.created_at', 'e.created_by', 'e.pre_data'])
    .select(['e.feature_name', 'e.environment', 'r.cause', 's.name as action_set_name'])
    .orderBy('e.id', 'desc')
    .execute();
  return rows.flatMap((row) => {
    const heldBy = row.pre_data === null ? undefined : endedColumn.parse(row.pre_data, row.id).heldBy;
    const { actionSetId, key = null } = heldBy ?? {};
    if (actionSetId == null) return [];
    const { feature_name: featureName, environment, created_at: endedAt } = row;
    return [{ actionSetId, key, featureName, environment, endedAt, by: endedBy(row) }];
  });
}

function endedBy(event: {
  readonly type: string;
  readonly run_id: number | null;
  readonly created_by: string;
  readonly cause: string | null;
  readonly action_set_name: string | null;
}): EndedHold['by'] {
  if (event.type === 'feature-lease-expired') return null;
  return event.run_id === null || event.cause === 'take-back'
    ? { kind: 'person', name: event.created_by }
    : { kind: 'run', runId: event.run_id, actionSetName: event.action_set_name };
}

/** The title and the link of an alert; null when its signal has none or was deleted. */
export interface AlertWords {
  readonly title: string | null;
  readonly link: string | null;
  /** The number of alerts that the sender left out of the signal. */
  readonly truncatedAlerts: number;
}

/** Returns what the signal of each alert says of it. */
export async function wordsOf(
  db: Db,
  alerts: readonly Pick<FiringAlert, 'signalId' | 'element'>[],
): Promise<AlertWords[]> {
  const ids = [...new Set(alerts.map(({ signalId }) => signalId))];
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('signals').select(['id', 'normalized']).where('id', 'in', ids).execute();
  const known = new Map(
    rows.map(({ id, normalized }) => [id, normalized === null ? null : (JSON.parse(normalized) as NormalizedSignal)]),
  );
  return alerts.map(({ signalId, element }) => {
    const normalized = known.get(signalId);
    const part = element === null ? normalized : normalized?.elements[element];
    return {
      title: part?.title ?? normalized?.title ?? null,
      link: part?.link ?? normalized?.link ?? null,
      truncatedAlerts: normalized?.truncatedAlerts ?? 0,
    };
  });
}
