import { type attentionKinds, attentionSubject } from '@yardarm/contract';
import { listUndecided } from '#features/automation/actions/index.ts';
import { alertsWithoutEffect, toldEndpoints } from '#features/automation/firing-alerts/index.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Db } from '#storage/tx.ts';

/** Something that automation left for a person to look after. */
export interface OpenItem {
  readonly subject: string;
  readonly kind: (typeof attentionKinds)[number];
  /** Null for an alert, which belongs to no project. */
  readonly project: string | null;
  readonly environment: string | null;
  /** The flag, the action set, or the title of the alert. */
  readonly name: string;
  /** Since when it waits for a person, in milliseconds UTC. */
  readonly since: number;
  /** Whether an event was recorded for it, so that a reminder makes sense. */
  readonly isTold: boolean;
}

/** The number of items of a kind that are read at most, the newest first. */
const maxOfKind = 1000;

/** How each kind is read. A new kind does not compile without its reader. */
const readers: Readonly<Record<OpenItem['kind'], (db: Db, now: number) => Promise<OpenItem[]>>> = {
  hold: openHolds,
  run: openRuns,
  plan: openPlans,
  alert: openAlerts,
};

/** Returns what automation left for a person and has not ended, at most the newest 1,000 of each kind. */
export async function openItems(db: Db, now: number): Promise<OpenItem[]> {
  const lists: OpenItem[] = [];
  for (const read of Object.values(readers)) lists.push(...(await read(db, now)));
  return lists;
}

async function openHolds(db: Db): Promise<OpenItem[]> {
  const rows = await db
    .selectFrom('feature_leases as l')
    .innerJoin('features as f', 'f.name', 'l.feature_name')
    .select(['l.id', 'l.feature_name', 'l.environment', 'l.placed_at', 'f.project'])
    .where('l.holder_kind', '!=', 'person')
    .orderBy('l.id', 'desc')
    .limit(maxOfKind)
    .execute();
  return rows.map(({ id, feature_name: name, environment, placed_at: since, project }) => ({
    ...{ subject: attentionSubject.hold(id), kind: 'hold', project, environment, name, since, isTold: true },
  }));
}

async function openRuns(db: Db): Promise<OpenItem[]> {
  const runs = await listUndecided(db, { projects: undefined, limit: maxOfKind });
  // A run may hold flags in several environments, and deciding about it needs a right in the whole project.
  const whole = { environment: null, isTold: true } as const;
  return runs.map(({ run: { id, project, set, createdAt: since } }) => ({
    ...{ subject: attentionSubject.run(id), kind: 'run', project, name: set.name, since, ...whole },
  }));
}

/** Returns the plans that automation paused: only those have a reason. */
async function openPlans(db: Db): Promise<OpenItem[]> {
  const rows = await db
    .selectFrom('release_plans as p')
    .innerJoin('features as f', 'f.name', 'p.feature_name')
    .select(['p.id', 'p.feature_name', 'p.environment', 'p.paused_at', 'f.project'])
    .where('p.paused_at', 'is not', null)
    .where('p.pause_reason', 'is not', null)
    .orderBy('p.paused_at', 'desc')
    .limit(maxOfKind)
    .execute();
  return rows.map(({ id, feature_name: name, environment, paused_at, project }) => {
    const since = Number(paused_at);
    const subject = attentionSubject.plan(id, isoTime(since));
    return { subject, kind: 'plan', project, environment, name, since, isTold: true };
  });
}

/** Returns the alerts without effect. Those that a person caused, with an override for example, were not told. */
async function openAlerts(db: Db, now: number): Promise<OpenItem[]> {
  const [{ alerts }, told] = await Promise.all([alertsWithoutEffect(db, undefined, now, maxOfKind), toldEndpoints(db)]);
  return alerts.map(({ signalEndpointId, endpoint, fingerprint, title, since, byPerson, waits }) => ({
    subject: attentionSubject.alert(signalEndpointId, isoTime(since), fingerprint),
    ...{ kind: 'alert', project: null, environment: null, name: title ?? endpoint, since },
    isTold: told.has(signalEndpointId) && !byPerson && !waits,
  }));
}
