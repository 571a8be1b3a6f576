import type { Actor } from '#kernel/actor.ts';
import type { Db } from '#storage/tx.ts';
import type { State } from './request.ts';

/** Search conditions, joined by AND. Drafts are found only by their author. */
export interface RequestFilter {
  readonly caller: Actor;
  readonly project?: string;
  /** Projects that the caller may not see. */
  readonly hidden?: ReadonlySet<string>;
  readonly states?: readonly State[] | undefined;
  readonly featureName?: string;
  readonly createdBy?: readonly number[] | undefined;
  readonly approvers?: readonly number[] | undefined;
}

/** Returns the ids of the matching requests, newest first, with one statement. */
export async function findRequests(
  db: Db,
  filter: RequestFilter,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
): Promise<number[]> {
  const rows = await select(db, filter).select('r.id').orderBy('r.id', 'desc').limit(limit).offset(offset).execute();
  return rows.map(({ id }) => id);
}

/** Counts the matching requests by state, with one statement. */
export async function countRequests(db: Db, filter: RequestFilter): Promise<ReadonlyMap<State, number>> {
  const rows = await select(db, filter)
    .select((eb) => ['r.state', eb.fn.countAll<number>().as('n')])
    .groupBy('r.state')
    .execute();
  return new Map(rows.map(({ state, n }) => [state as State, n]));
}

function select(db: Db, { caller, project, hidden, states, featureName, createdBy, approvers }: RequestFilter) {
  let query = db.selectFrom('change_requests as r').where((eb) =>
    eb.or([
      eb('r.state', '<>', 'Draft'),
      // The same rule as `isSame`: an account keeps its drafts when its name changes.
      eb.and([
        eb('r.created_by_user_id', '=', caller.userId),
        eb.or([eb('r.created_by_user_id', '>', 0), eb('r.created_by', '=', caller.name)]),
      ]),
    ]),
  );
  if (project !== undefined) query = query.where('r.project', '=', project);
  if (hidden !== undefined && hidden.size > 0) query = query.where('r.project', 'not in', [...hidden]);
  if (states !== undefined) query = query.where('r.state', 'in', states);
  if (createdBy !== undefined) query = query.where('r.created_by_user_id', 'in', createdBy);
  if (featureName !== undefined) {
    query = query.where('r.id', 'in', (eb) =>
      eb.selectFrom('change_request_changes').select('request_id').where('feature_name', '=', featureName),
    );
  }
  if (approvers !== undefined) {
    query = query.where('r.id', 'in', (eb) =>
      eb.selectFrom('change_request_approvers').select('request_id').where('user_id', 'in', approvers),
    );
  }
  return query;
}
