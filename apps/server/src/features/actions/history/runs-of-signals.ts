import type { Db } from '../../../storage/tx.ts';
import { type Change, type Run, setOfRun, withoutUrlPaths } from '../runs/index.ts';

/** The outcome of a run of a signal, without the copy of its set. */
export interface SignalRun
  extends Pick<Run, 'id' | 'project' | 'actionSetId' | 'signalId' | 'element' | 'state' | 'shadow'> {
  readonly name: string;
  /** Why the run waits, was skipped or failed. */
  readonly reason: string | null;
  /** Whether each alert holds for itself, because the set releases too. */
  readonly holdsForAlert: boolean;
  readonly changes: readonly Change[];
  readonly called: boolean;
}

/** Returns the newest runs of signals, at most `limit`, newest first. */
export async function runsOfSignals(db: Db, signalIds: readonly number[], limit: number): Promise<SignalRun[]> {
  if (signalIds.length === 0) return [];
  const rows = await db
    .selectFrom('action_runs')
    .select(['id', 'project', 'action_set_id', 'signal_id', 'element', 'state', 'reason', 'shadow', 'action_set'])
    .where('signal_id', 'in', signalIds)
    .where('cause', '!=', 'take-back')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const { name, releaseFilters, actions } = setOfRun(db, row);
    return {
      id: row.id,
      project: row.project,
      actionSetId: row.action_set_id,
      name,
      signalId: row.signal_id,
      element: row.element,
      state: row.state as Run['state'],
      reason: withoutUrlPaths(row.reason),
      shadow: row.shadow === 1,
      holdsForAlert: releaseFilters !== null,
      changes: actions.flatMap(({ changes }) => changes),
      called: actions.some(({ call }) => call !== null),
    };
  });
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

/** Returns the last handled signal of endpoints; absent where none was. */
export async function handledSignals(db: Db, endpointIds: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (endpointIds.length === 0) return new Map();
  const rows = await db.selectFrom('action_cursors').selectAll().where('endpoint_id', 'in', endpointIds).execute();
  return new Map(rows.map(({ endpoint_id, signal_id }) => [endpoint_id, signal_id]));
}
