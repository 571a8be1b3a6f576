import type { Db } from '#storage/tx.ts';
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
  readonly ids?: readonly number[];
  readonly signalIds?: readonly number[] | undefined;
  /** Only runs in these projects; undefined for all. */
  readonly projects?: readonly string[] | undefined;
  readonly actionSetId?: number;
  readonly states?: readonly RunState[] | undefined;
  /** Only runs that began in this time, in milliseconds UTC, both ends included. */
  readonly began?: { readonly from: number; readonly to: number };
  /**
   * Leaves out runs whose reason begins with one of these texts. The texts contain no `%` or `_`, the wildcards of
   * LIKE.
   */
  readonly reasonsNot?: readonly string[];
  /** Whether runs that wait for a person are left out. */
  readonly decided?: boolean;
}

interface Page {
  readonly offset: number;
  readonly limit: number;
}

/** Returns runs of all sets that pass a filter, newest first, in one statement. */
export async function listRunsOf(db: Db, { offset, limit, ...filter }: RunFilter & Page): Promise<ListedRun[]> {
  if ([filter.ids, filter.signalIds, filter.projects].some((some) => some?.length === 0)) return [];
  const rows = await runsThat(db, filter).select(columns).orderBy('id', 'desc').offset(offset).limit(limit).execute();
  return rows.map((row) => ({
    id: row.id,
    project: row.project,
    actionSetId: row.action_set_id,
    name: setOfRun(db, row).name ?? '',
    signalId: row.signal_id,
    element: row.element,
    state: row.state as Run['state'],
    // Lists do not show the paths of called URLs, because they may be secret.
    reason: withoutUrlPaths(row.reason),
    shadow: row.shadow === 1,
    cause: row.cause as Run['cause'],
    tokenId: row.token_id,
    takesBackRunId: row.takes_back_run_id,
    createdAt: row.created_at,
  }));
}

/** The maximum number of runs in a state that are counted. */
const maxCounted = 1000;

/**
 * Returns the newest run of each set that has runs in a state since a time, with the number of these runs, newest
 * first. Only the newest 1,000 runs in the state are looked at.
 */
export async function newestRunOfSets(
  db: Db,
  {
    since,
    limit,
    ...filter
  }: Omit<RunFilter, 'states'> & { readonly state: RunState } & Omit<Page, 'offset'> & {
      /** Milliseconds UTC. */
      readonly since: number;
    },
): Promise<(ListedRun & { readonly count: number })[]> {
  if (filter.projects?.length === 0) return [];
  const newest = runsThat(db, { ...filter, states: [filter.state] })
    .select(['id', 'action_set_id', 'created_at'])
    .orderBy('id', 'desc')
    .limit(maxCounted);
  const sets = await db
    .selectFrom(newest.as('newest'))
    .where('created_at', '>=', since)
    .groupBy('action_set_id')
    .select((eb) => [eb.fn.max('id').as('id'), eb.fn.countAll().as('count')])
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  const counts = new Map(sets.map(({ id, count }) => [Number(id), Number(count)]));
  const runs = await listRunsOf(db, { ids: [...counts.keys()], offset: 0, limit });
  return runs.map((run) => ({ ...run, count: counts.get(run.id) ?? 1 }));
}

function runsThat(db: Db, filter: RunFilter) {
  const { ids, signalIds, projects, actionSetId, states, began, reasonsNot = [], decided = false } = filter;
  let query = db.selectFrom('action_runs');
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (signalIds !== undefined) query = query.where('signal_id', 'in', signalIds);
  if (projects !== undefined) query = query.where('project', 'in', projects);
  if (actionSetId !== undefined) query = query.where('action_set_id', '=', actionSetId);
  if (states !== undefined) query = query.where('state', 'in', states);
  if (began !== undefined) {
    // Names both values of `kept`, because the index by time begins with this column.
    query = query.where('kept', 'in', [0, 1]).where('created_at', '>=', began.from).where('created_at', '<=', began.to);
  }
  if (decided) query = query.where('decide_by', 'is', null);
  for (const text of reasonsNot)
    query = query.where((eb) => eb.or([eb('reason', 'is', null), eb('reason', 'not like', `${text}%`)]));
  return query;
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
  /** Why and since when the set cannot run; null while it can. */
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
