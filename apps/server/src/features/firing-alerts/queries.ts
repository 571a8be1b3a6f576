import type { NormalizedSignal } from '@yardarm/contract';
import { z } from 'zod';
import { jsonColumn } from '../../storage/json-column.ts';
import { type Db, sql } from '../../storage/tx.ts';
import { keptMs } from './track.ts';

/** The newest firing alerts among which those without effect are looked for. */
const searched = 1000;
/** The newest released holds that are read. */
const maxReleased = 500;

/** The holder of a released hold, which events of earlier versions name without set and key. */
const releasedColumn = jsonColumn(
  'events.pre_data',
  z.object({
    heldBy: z.object({ key: z.string().nullable().optional(), actionSetId: z.number().nullable().optional() }),
  }),
);

/** Compares a hold `l` with the hold in force `i`. */
const sameEffect = sql<boolean>`l.effect = i.effect and coalesce(l.rollout, -1) = coalesce(i.rollout, -1)`;

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
 * Returns the newest firing alerts whose latest signal asked for no hold that is in force, or that has the effect of
 * the one in force, newest first. A hold that another alert asked for after it may still be for both.
 */
export async function alertsWithoutOwnHold(db: Db, now: number, limit: number): Promise<FiringAlert[]> {
  const newest = db
    .selectFrom('firing_alerts')
    .selectAll()
    .where('resolved_at', 'is', null)
    .where('last_at', '>=', now - keptMs)
    .orderBy('last_at', 'desc')
    .limit(searched)
    .as('a');
  const rows = await db
    .selectFrom(newest)
    .innerJoin('signal_endpoints as e', 'e.id', 'a.endpoint_id')
    .select(['a.endpoint_id', 'a.fingerprint', 'a.signal_id', 'a.element', 'a.since', 'a.last_at', 'e.name'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('action_runs as r')
            .innerJoin('feature_leases as l', 'l.renewed_by_run_id', 'r.id')
            .innerJoin('feature_environments as f', (join) =>
              join.onRef('f.feature_name', '=', 'l.feature_name').onRef('f.environment', '=', 'l.environment'),
            )
            .innerJoin('feature_leases as i', 'i.id', 'f.lease_id')
            .select(sql`1`.as('one'))
            .where(sameEffect)
            .whereRef('r.signal_id', '=', 'a.signal_id')
            .where((eb) => eb.or([eb('r.element', 'is', null), eb('r.element', '=', eb.ref('a.element'))])),
        ),
      ),
    )
    .orderBy('a.last_at', 'desc')
    .orderBy('a.fingerprint')
    .limit(limit)
    .execute();
  return rows.map(({ endpoint_id, name, fingerprint, signal_id, element, since, last_at }) => ({
    signalEndpointId: endpoint_id,
    endpoint: name,
    fingerprint,
    signalId: signal_id,
    element,
    since,
    lastAt: last_at,
  }));
}

/** A hold of a set. */
export interface HoldOfSet {
  readonly actionSetId: number;
  readonly featureName: string;
  readonly environment: string;
  readonly key: string;
  /** Whether the hold is in force, or has the effect of the one in force. */
  readonly hasEffect: boolean;
}

/** Returns the holds of sets. */
export async function holdsOfSets(db: Db, setIds: readonly number[]): Promise<HoldOfSet[]> {
  if (setIds.length === 0) return [];
  const rows = await db
    .selectFrom('feature_leases as l')
    .innerJoin('feature_environments as f', (join) =>
      join.onRef('f.feature_name', '=', 'l.feature_name').onRef('f.environment', '=', 'l.environment'),
    )
    .leftJoin('feature_leases as i', 'i.id', 'f.lease_id')
    .select(['l.action_set_id', 'l.feature_name', 'l.environment', 'l.holder_key', 'l.effect', 'l.rollout'])
    .select(['i.effect as effect_in_force', 'i.rollout as rollout_in_force'])
    .where('l.action_set_id', 'in', setIds)
    .execute();
  return rows.map((row) => ({
    actionSetId: row.action_set_id ?? 0,
    featureName: row.feature_name,
    environment: row.environment,
    key: row.holder_key,
    hasEffect: row.effect === row.effect_in_force && row.rollout === row.rollout_in_force,
  }));
}

/** A hold that a person released, by itself or by taking back a run. The time in milliseconds UTC. */
export interface ReleasedHold {
  readonly actionSetId: number;
  readonly key: string | null;
  readonly releasedAt: number;
}

/** Returns the holds of sets that people released, among the newest 500 that ended by a release. */
export async function holdsReleasedByPeople(db: Db): Promise<ReleasedHold[]> {
  const newest = db
    .selectFrom('events')
    .select(['id', 'run_id', 'created_at', 'pre_data'])
    .where('type', '=', 'feature-lease-released')
    .orderBy('id', 'desc')
    .limit(maxReleased)
    .as('e');
  const rows = await db
    .selectFrom(newest)
    .leftJoin('action_runs as r', 'r.id', 'e.run_id')
    .select(['e.id', 'e.created_at', 'e.pre_data'])
    .where((eb) => eb.or([eb('e.run_id', 'is', null), eb('r.cause', '=', 'take-back')]))
    .execute();
  return rows.flatMap(({ id, created_at, pre_data }) => {
    const heldBy = pre_data === null ? undefined : releasedColumn.parse(pre_data, id).heldBy;
    const { actionSetId, key = null } = heldBy ?? {};
    return actionSetId == null ? [] : [{ actionSetId, key, releasedAt: created_at }];
  });
}

/** Returns the title of each alert, from its signal; undefined where the signal has been deleted. */
export async function titlesOf(
  db: Db,
  alerts: readonly Pick<FiringAlert, 'signalId' | 'element'>[],
): Promise<(string | null)[]> {
  const ids = [...new Set(alerts.map(({ signalId }) => signalId))];
  if (ids.length === 0) return [];
  const rows = await db.selectFrom('signals').select(['id', 'normalized']).where('id', 'in', ids).execute();
  const known = new Map(
    rows.map(({ id, normalized }) => [id, normalized === null ? null : (JSON.parse(normalized) as NormalizedSignal)]),
  );
  return alerts.map(({ signalId, element }) => {
    const normalized = known.get(signalId);
    const part = element === null ? normalized : normalized?.elements[element];
    return part?.title ?? normalized?.title ?? null;
  });
}
