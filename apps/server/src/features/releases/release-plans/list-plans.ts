import type { planStates } from '@yardarm/contract';
import type { Database } from '#storage/database.ts';
import { sql } from '#storage/tx.ts';
import type { Plan } from './plan.ts';
import { fromRow } from './store.ts';

type State = (typeof planStates)[number];

export interface PlanFilter {
  readonly project?: string | undefined;
  readonly state?: State | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** A plan with the project of its flag. */
export interface ListedPlan {
  readonly plan: Plan;
  readonly project: string;
}

/**
 * Lists the plans of flags in visible projects, except those in shadow mode, which serve nothing. Those that need a
 * person come first: paused because a milestone could not start, held, paused by a person, halted, waiting.
 */
export async function listPlans(
  { db, engine }: Pick<Database, 'db' | 'engine'>,
  hidden: ReadonlySet<string>,
  { project, state, offset, limit }: PlanFilter,
): Promise<{ readonly plans: ListedPlan[]; readonly total: number }> {
  const all = db
    .selectFrom('release_plans as p')
    .innerJoin('features as f', 'f.name', 'p.feature_name')
    .selectAll('p')
    .select(['f.project', stateIn(engine).as('state')])
    .where('p.shadow', '=', 0)
    .as('l');
  let listed = db.selectFrom(all).selectAll();
  let counted = db.selectFrom(all).select((eb) => eb.fn.countAll<number>().as('n'));
  if (hidden.size > 0) {
    listed = listed.where('l.project', 'not in', [...hidden]);
    counted = counted.where('l.project', 'not in', [...hidden]);
  }
  if (project !== undefined) {
    listed = listed.where('l.project', '=', project);
    counted = counted.where('l.project', '=', project);
  }
  if (state !== undefined) {
    listed = listed.where('l.state', '=', state);
    counted = counted.where('l.state', '=', state);
  }
  const page = listed.orderBy(urgency).orderBy('l.created_at', 'desc').orderBy('l.id').offset(offset).limit(limit);
  const [rows, count] = await Promise.all([page.execute(), counted.executeTakeFirstOrThrow()]);
  return { plans: rows.map((row) => ({ plan: fromRow(row), project: row.project })), total: Number(count.n) };
}

/** Selects the state of a plan; the SQL counterpart of `stateOf`. A test compares the two. */
function stateIn(engine: Database['engine']) {
  const last = sql.raw(
    engine === 'sqlite' ? "json_extract(p.milestones, '$[#-1].id')" : "((p.milestones::json -> -1) ->> 'id')",
  );
  return sql<State>`case
    when p.active_milestone_id = ${last} then 'completed'
    when p.paused_at is not null then 'paused'
    when p.stopped_by = 'hold' then 'held'
    when p.stopped_by = 'off' then 'off'
    when p.stopped_by is not null then 'halted'
    when p.next_at is null then 'waiting'
    when p.gated_at is not null then 'gated'
    else 'running' end`;
}

const urgency = sql`case
  when l.state = 'paused' and l.pause_reason is not null then 0
  when l.state = 'held' then 1
  when l.state = 'paused' then 2
  when l.state = 'halted' then 3
  when l.state = 'waiting' then 4
  when l.state = 'gated' then 5
  when l.state = 'off' then 6
  when l.state = 'running' then 7
  else 8 end`;
