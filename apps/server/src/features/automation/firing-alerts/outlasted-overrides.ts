import { askToHold, type FiringReport, type RunContext } from '#features/automation/actions/index.ts';
import { findFeature, recordFeatureEvents } from '#features/flags/feature/index.ts';
import { overridesOn } from '#features/flags/overrides/index.ts';
import type { BeforeCommit } from '#storage/commit/write.ts';
import type { Db, Tx } from '#storage/tx.ts';
import { keptMs } from './track.ts';

/** The maximum number of firing alerts of a project that are compared with a flag, the newest first. */
const maxAlerts = 1000;
/** The number of alerts that an event names. */
const maxNamed = 10;

/** The beginning of the reason of a run that waits for a person because an override has ended. */
const endedText = 'The override has ended while the alert fires';

/**
 * Returns the hook that lets a person decide, when an override ends, about each alert that would hold its flag and
 * still fires. One event for the flag names the alerts.
 */
export function askAfterOverrides(context: RunContext): BeforeCommit {
  return async (_change, { events }) => {
    const places = events.flatMap(({ type, project, featureName, environment }) =>
      type === 'feature-override-ended' && project != null && featureName != null && environment != null
        ? { project, featureName, environment }
        : [],
    );
    if (places.length === 0) return undefined;
    return async (tx) => {
      for (const place of places) await askFor(tx, context, place);
    };
  };
}

interface Place {
  readonly project: string;
  readonly featureName: string;
  readonly environment: string;
}

async function askFor(tx: Tx, context: RunContext, place: Place): Promise<void> {
  const feature = await findFeature(tx.db, place.featureName);
  if (feature === undefined || feature.archivedAt !== null) return;
  const others = await overridesOn(tx.db, [place.featureName], tx.now);
  if (others.some(({ environment }) => environment === place.environment)) return;
  const alerts = await firingFor(tx.db, place.project, tx.now);
  if (alerts.length === 0) return;
  const runs = await askToHold(tx, context, place, { alerts, why: `${endedText}.` });
  if (runs.length === 0) return;
  const data = { alerts: runs.slice(0, maxNamed), total: runs.length };
  const event = { type: 'feature-override-outlasted', environment: place.environment, data } as const;
  await recordFeatureEvents(tx, [{ feature, event }]);
}

/** Returns the firing alerts of the endpoints that enabled action sets of a project listen to. */
async function firingFor(db: Db, project: string, now: number): Promise<FiringReport[]> {
  const endpoints = db
    .selectFrom('action_sets')
    .select('endpoint_id')
    .where('project', '=', project)
    .where('enabled', '=', 1);
  const rows = await db
    .selectFrom('firing_alerts as a')
    .select(['a.endpoint_id', 'a.signal_id', 'a.element'])
    .where('a.endpoint_id', 'in', endpoints)
    .where('a.resolved_at', 'is', null)
    .where('a.last_at', '>=', now - keptMs)
    // The end of an alert is handled at once, and told to the list of firing alerts a little later.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('alert_ends as e')
            .select('e.signal_id')
            .whereRef('e.endpoint_id', '=', 'a.endpoint_id')
            .whereRef('e.fingerprint', '=', 'a.fingerprint')
            .whereRef('e.signal_id', '>', 'a.signal_id'),
        ),
      ),
    )
    .orderBy('a.last_at', 'desc')
    .limit(maxAlerts)
    .execute();
  return rows.map(({ endpoint_id, signal_id, element }) => {
    return { signalEndpointId: endpoint_id, signalId: signal_id, element };
  });
}
