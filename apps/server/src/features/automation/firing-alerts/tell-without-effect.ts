import type { JobKind } from '#jobs/runner.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { keptMs } from './track.ts';
import { type AlertWithoutEffect, alertsWithoutEffect } from './without-effect.ts';

/** The interval of the job. */
const everyMs = 30_000;
/** How long an alert fires without effect before people are told. */
const patienceMs = 2 * 60 * 1000;
/** The number of alerts that are looked at, and that an event names. */
const maxExamined = 500;
const maxNamed = 20;

/**
 * Tells people when an alert of an endpoint has fired for two minutes without effect, once for a row of them, and when
 * no alert of the endpoint is without effect any more. Alerts that a person overrode or released do not count, nor do
 * those whose run waits, because people were told of these.
 */
export const tellAlertsWithoutEffect: JobKind = {
  kind: 'alerts-without-effect',
  recurring: true,
  records: true,
  run: async (tx) => {
    const told = await toldEndpoints(tx.db);
    if (told.size === 0 && !(await isAnyDue(tx))) return tx.now + everyMs;
    const { alerts } = await alertsWithoutEffect(tx.db, undefined, tx.now, maxExamined);
    const ofEndpoints = Map.groupBy(
      alerts.filter(({ byPerson, waits }) => !byPerson && !waits),
      ({ signalEndpointId }) => signalEndpointId,
    );
    for (const [id, ofEndpoint] of ofEndpoints) {
      const due = ofEndpoint.filter(({ since }) => since <= tx.now - patienceMs);
      if (due.length > 0 && !told.has(id)) await tell(tx, due);
    }
    for (const [id, name] of told) {
      if (ofEndpoints.has(id)) continue;
      await setToldAt(tx, id, null);
      tx.record({ type: 'alerts-without-effect-ended', data: { id, name } });
    }
    return tx.now + everyMs;
  },
};

/** Returns the names of the endpoints of whose alerts without effect people were told, by id. */
export async function toldEndpoints(db: Db): Promise<ReadonlyMap<number, string>> {
  const rows = await db
    .selectFrom('signal_endpoints')
    .select(['id', 'name'])
    .where('without_effect_told_at', 'is not', null)
    .orderBy('id')
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns whether an alert has fired long enough, with or without effect. */
async function isAnyDue({ db, now }: Tx): Promise<boolean> {
  const due = await db
    .selectFrom('firing_alerts')
    .select('fingerprint')
    .where('resolved_at', 'is', null)
    .where('last_at', '>=', now - keptMs)
    .where('since', '<=', now - patienceMs)
    .limit(1)
    .executeTakeFirst();
  return due !== undefined;
}

/** Records the alerts of one endpoint, the newest first. */
async function tell(tx: Tx, alerts: readonly AlertWithoutEffect[]): Promise<void> {
  const [newest] = alerts;
  if (newest === undefined) return;
  const { signalEndpointId: id, endpoint: name, signalId } = newest;
  await setToldAt(tx, id, tx.now);
  const named = alerts.slice(0, maxNamed).map(({ title, link, since, reason }) => {
    return { title, link, since: isoTime(since), reason };
  });
  const data = { id, name, alerts: named, total: alerts.length };
  await tx.nested({ ...tx.by, cause: { ...tx.by.cause, signalId } }, async (part) =>
    part.record({ type: 'alerts-without-effect', data }),
  );
}

async function setToldAt(tx: Tx, id: number, at: number | null): Promise<void> {
  await tx.db.updateTable('signal_endpoints').set({ without_effect_told_at: at }).where('id', '=', id).execute();
}
