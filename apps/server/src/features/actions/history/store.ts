import type { Db } from '../../../storage/tx.ts';
import { type Run, type RunState, setOfRun, withoutUrlPaths } from '../runs/index.ts';

/** A run in a list, without the copy of the set and the payload, which may be large. */
export type ListedRun = Pick<
  Run,
  | 'id'
  | 'project'
  | 'actionSetId'
  | 'signalId'
  | 'element'
  | 'state'
  | 'reason'
  | 'shadow'
  | 'cause'
  | 'takesBackRunId'
  | 'createdAt'
> & { readonly name: string };

const columns = [
  'id',
  'project',
  'action_set_id',
  'signal_id',
  'element',
  'state',
  'reason',
  'shadow',
  'cause',
  'takes_back_run_id',
  'created_at',
  'action_set',
] as const;

interface RunFilter {
  readonly signalIds: readonly number[] | undefined;
  /** Only runs in these projects; undefined for all. */
  readonly projects?: readonly string[] | undefined;
  readonly actionSetId?: number;
  readonly state?: RunState | undefined;
  /** Leaves out runs whose reason begins with this text, which holds no `%` or `_`. */
  readonly reasonNot?: string;
  readonly offset: number;
  readonly limit: number;
}

/** Returns runs of all sets, optionally by signal, set or state, newest first, in one statement. */
export async function listRunsOf(
  db: Db,
  { signalIds, projects, actionSetId, state, reasonNot, offset, limit }: RunFilter,
): Promise<ListedRun[]> {
  if (signalIds?.length === 0 || projects?.length === 0) return [];
  let query = db.selectFrom('action_runs').select(columns).orderBy('id', 'desc').offset(offset).limit(limit);
  if (signalIds !== undefined) query = query.where('signal_id', 'in', signalIds);
  if (projects !== undefined) query = query.where('project', 'in', projects);
  if (actionSetId !== undefined) query = query.where('action_set_id', '=', actionSetId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (reasonNot !== undefined)
    query = query.where((eb) => eb.or([eb('reason', 'is', null), eb('reason', 'not like', `${reasonNot}%`)]));
  const rows = await query.execute();
  return rows.map((row) => ({
    id: row.id,
    project: row.project,
    actionSetId: row.action_set_id,
    name: setOfRun(db, row).name ?? '',
    signalId: row.signal_id,
    element: row.element,
    state: row.state as Run['state'],
    // Readers of lists may not see the paths of calls.
    reason: withoutUrlPaths(row.reason),
    shadow: row.shadow === 1,
    cause: row.cause as Run['cause'],
    takesBackRunId: row.takes_back_run_id,
    createdAt: row.created_at,
  }));
}
