import { chunksOf } from '#kernel/lists.ts';
import { type Db, sql } from '#storage/tx.ts';
import { type Change, holdStaysText, type Run, setOfRun, withoutUrlPaths } from '../runs/index.ts';

/** A run of a signal, without the copy of its set. */
export interface SignalRun
  extends Pick<Run, 'id' | 'project' | 'actionSetId' | 'signalId' | 'element' | 'state' | 'shadow'> {
  /** The current name of the set. */
  readonly name: string;
  /** Why the run waits, was skipped or failed. */
  readonly reason: string | null;
  /** Whether each alert has a hold of its own. True when the set, as it is now, also releases what it holds. */
  readonly holdsForAlert: boolean;
}

/** An alert: a signal (`element` is null), or an element of the array of alerts in a signal. */
interface AlertOfSignal {
  readonly signalId: number;
  readonly element: number | null;
}

/** Returns the runs for alerts, newest first: those of their elements, and those of their whole signals. */
export async function runsOfAlerts(db: Db, alerts: readonly AlertOfSignal[]): Promise<SignalRun[]> {
  const runs: SignalRun[] = [];
  for (const part of chunksOf(alerts, maxAlerts)) runs.push(...(await runsOfPart(db, part)));
  const byId = new Map(runs.map((run) => [run.id, run]));
  return [...byId.values()].toSorted((a, b) => b.id - a.id);
}

/** The maximum number of alerts in a statement, because each is a pair of parameters. */
const maxAlerts = 200;

async function runsOfPart(db: Db, alerts: readonly AlertOfSignal[]): Promise<SignalRun[]> {
  const signalIds = [...new Set(alerts.map(({ signalId }) => signalId))];
  const pairs = alerts.flatMap(({ signalId, element }) =>
    element === null ? [] : [sql`(cast(${signalId} as bigint), cast(${element} as bigint))`],
  );
  // A signal without elements can have runs for the elements of an array of its payload.
  const whole = alerts.flatMap(({ signalId, element }) => (element === null ? signalId : []));
  const rows = await db
    .selectFrom('action_runs as r')
    .leftJoin('action_sets as s', 's.id', 'r.action_set_id')
    .select(['r.id', 'r.project', 'r.action_set_id', 'r.signal_id', 'r.element', 'r.state', 'r.reason', 'r.shadow'])
    .select(['s.name', 's.release_filters'])
    .where('r.signal_id', 'in', signalIds)
    .where('r.cause', '!=', 'take-back')
    .where((eb) =>
      eb.or([
        eb('r.element', 'is', null),
        ...(whole.length === 0 ? [] : [eb('r.signal_id', 'in', whole)]),
        ...(pairs.length === 0 ? [] : [sql<boolean>`(r.signal_id, r.element) in (values ${sql.join(pairs)})`]),
      ]),
    )
    .execute();
  return rows.map((row) => ({
    id: row.id,
    project: row.project,
    actionSetId: row.action_set_id,
    name: row.name ?? '(deleted)',
    signalId: row.signal_id,
    element: row.element,
    state: row.state as Run['state'],
    reason: withoutUrlPaths(row.reason),
    shadow: row.shadow === 1,
    holdsForAlert: row.release_filters !== null,
  }));
}

/** The outcome of a run: its changes and calls. */
export interface RunOutcome {
  readonly changes: readonly Change[];
  readonly called: boolean;
  /** Whether the run was stopped although the holds that it asked for exist from earlier runs. */
  readonly holdsStay: boolean;
}

/**
 * Returns the outcomes of runs by their ids. Parses the copy of the set of each run, so pass only the runs that are
 * needed.
 */
export async function outcomesOfRuns(db: Db, ids: readonly number[]): Promise<ReadonlyMap<number, RunOutcome>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('action_runs').select(['id', 'action_set']).where('id', 'in', ids).execute();
  return new Map(
    rows.map((row) => {
      const { actions } = setOfRun(db, row);
      const changes = actions.flatMap((action) => action.changes);
      const called = actions.some(({ call }) => call !== null);
      const holdsStay = actions.some(({ details }) => details === holdStaysText);
      return [row.id, { changes, called, holdsStay }];
    }),
  );
}

/** Returns which of these runs took another run back. A person made the changes of such a run. */
export async function takeBacksAmong(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .selectFrom('action_runs')
    .select('id')
    .where('id', 'in', ids)
    .where('cause', '=', 'take-back')
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Returns the alert of each of these runs, as a condition. Runs without a fingerprint have no entry. */
export async function alertsOfRuns(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const alerts = new Map<number, string>();
  for (const part of chunksOf(ids)) {
    const rows = await db.selectFrom('action_runs').select(['id', 'alert_condition']).where('id', 'in', part).execute();
    for (const { id, alert_condition: alert } of rows) if (alert !== null) alerts.set(id, alert);
  }
  return alerts;
}

/** A set that listens to an endpoint. */
export interface ListeningSet {
  readonly id: number;
  readonly project: string;
  readonly name: string;
  readonly endpointId: number;
  readonly enabled: boolean;
  /** The set runs only on signals after this one. */
  readonly sinceSignalId: number;
}

/** Returns the sets that signals of endpoints trigger, enabled or not, oldest first, in one statement. */
export async function setsListeningTo(db: Db, endpointIds: readonly number[]): Promise<ListeningSet[]> {
  if (endpointIds.length === 0) return [];
  const rows = await db
    .selectFrom('action_sets')
    .select(['id', 'project', 'name', 'endpoint_id', 'enabled', 'since_signal_id'])
    .where('endpoint_id', 'in', endpointIds)
    .where('trigger_kind', '=', 'signal')
    .orderBy('id')
    .execute();
  return rows.map(({ id, project, name, endpoint_id, enabled, since_signal_id }) => ({
    ...{ id, project, name },
    endpointId: endpoint_id,
    enabled: enabled === 1,
    sinceSignalId: since_signal_id,
  }));
}

/** Returns the id of the last handled signal of each endpoint. Endpoints without a handled signal are absent. */
export async function handledSignals(db: Db, endpointIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await db.selectFrom('action_cursors').selectAll().where('endpoint_id', 'in', endpointIds).execute();
  return new Map(rows.map(({ endpoint_id, signal_id }) => [endpoint_id, signal_id]));
}
