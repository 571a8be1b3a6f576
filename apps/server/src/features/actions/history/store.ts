import type { Db } from '../../../storage/tx.ts';
import { type Run, type RunState, setOfRun, withoutUrlPaths } from '../runs/index.ts';
import type { BlockedSet } from '../sets/index.ts';

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
  | 'tokenId'
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
  'token_id',
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
  /** Leaves out runs whose reason begins with one of these texts, which hold no `%` or `_`. */
  readonly reasonsNot?: readonly string[];
  /** Whether runs that wait for a person are left out. */
  readonly decided?: boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Returns runs of all sets, optionally by signal, set or state, newest first, in one statement. */
export async function listRunsOf(
  db: Db,
  { signalIds, projects, actionSetId, state, reasonsNot = [], decided = false, offset, limit }: RunFilter,
): Promise<ListedRun[]> {
  if (signalIds?.length === 0 || projects?.length === 0) return [];
  let query = db.selectFrom('action_runs').select(columns).orderBy('id', 'desc').offset(offset).limit(limit);
  if (signalIds !== undefined) query = query.where('signal_id', 'in', signalIds);
  if (projects !== undefined) query = query.where('project', 'in', projects);
  if (actionSetId !== undefined) query = query.where('action_set_id', '=', actionSetId);
  if (state !== undefined) query = query.where('state', '=', state);
  if (decided) query = query.where('decide_by', 'is', null);
  for (const text of reasonsNot)
    query = query.where((eb) => eb.or([eb('reason', 'is', null), eb('reason', 'not like', `${text}%`)]));
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
    tokenId: row.token_id,
    takesBackRunId: row.takes_back_run_id,
    createdAt: row.created_at,
  }));
}

/** A set in the list of all projects. */
export interface ListedSet {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly project: string;
  readonly enabled: boolean;
  readonly shadow: boolean;
  /** The endpoint; null when it has been deleted. */
  readonly sourceName: string | null;
  /** Set while the set cannot run. */
  readonly blocked: Pick<BlockedSet, 'reason' | 'blockedSince'> | null;
  readonly lastRun: Pick<Run, 'id' | 'state' | 'shadow' | 'cause' | 'tokenId' | 'createdAt'> | null;
}

interface SetFilter {
  /** Only sets of these projects; undefined for all. */
  readonly projects: readonly string[] | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Returns the sets of several projects with their last runs, by project and age, and their number. */
export async function listSetsOf(
  db: Db,
  { projects, offset, limit }: SetFilter,
): Promise<{ readonly sets: ListedSet[]; readonly total: number }> {
  if (projects?.length === 0) return { sets: [], total: 0 };
  let query = db
    .selectFrom('action_sets as s')
    .leftJoin('signal_endpoints as e', 'e.id', 's.endpoint_id')
    .leftJoin('blocked_action_sets as b', 'b.action_set_id', 's.id')
    .leftJoin('action_runs as r', (join) =>
      join.on((eb) =>
        eb(
          'r.id',
          '=',
          eb
            .selectFrom('action_runs as n')
            .select((of) => of.fn.max('n.id').as('newest'))
            .whereRef('n.action_set_id', '=', 's.id'),
        ),
      ),
    )
    .select(['s.id', 's.name', 's.description', 's.project', 's.enabled', 's.shadow', 'e.name as source_name'])
    .select(['b.reason as blocked_reason', 'b.blocked_since'])
    .select(['r.id as run_id', 'r.state', 'r.shadow as run_shadow', 'r.cause', 'r.token_id', 'r.created_at as ran_at'])
    .orderBy('s.project')
    .orderBy('s.id')
    .offset(offset)
    .limit(limit);
  let counted = db.selectFrom('action_sets').select((eb) => eb.fn.countAll<number>().as('n'));
  if (projects !== undefined) {
    query = query.where('s.project', 'in', projects);
    counted = counted.where('project', 'in', projects);
  }
  const [rows, { n }] = await Promise.all([query.execute(), counted.executeTakeFirstOrThrow()]);
  return { sets: rows.map(toListedSet), total: Number(n) };
}

interface ListedSetRow {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly project: string;
  readonly enabled: number;
  readonly shadow: number;
  readonly source_name: string | null;
  readonly blocked_reason: string | null;
  readonly blocked_since: number | null;
  readonly run_id: number | null;
  readonly state: string | null;
  readonly run_shadow: number | null;
  readonly cause: string | null;
  readonly token_id: number | null;
  readonly ran_at: number | null;
}

function toListedSet(row: ListedSetRow): ListedSet {
  const { id, name, description, project, source_name, blocked_reason: reason, run_id, ...run } = row;
  return {
    ...{ id, name, description, project, sourceName: source_name },
    enabled: run.enabled === 1,
    shadow: run.shadow === 1,
    blocked: reason === null ? null : { reason, blockedSince: Number(run.blocked_since) },
    lastRun:
      run_id === null
        ? null
        : {
            id: run_id,
            state: run.state as Run['state'],
            shadow: run.run_shadow === 1,
            cause: run.cause as Run['cause'],
            tokenId: run.token_id ?? 0,
            createdAt: Number(run.ran_at),
          },
  };
}
