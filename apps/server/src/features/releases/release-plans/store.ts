import type { Milestone } from '#features/releases/release-templates/index.ts';
import { anyList, jsonColumn } from '#storage/json-column.ts';
import { prepared } from '#storage/prepared-query.ts';
import type { Row } from '#storage/tables.ts';
import type { Db, Tx } from '#storage/tx.ts';
import type { Plan, StoppedBy } from './plan.ts';

/** The kind of the job that starts the next milestone of a plan. */
export const progressionKind = 'release-plan-progression';

const milestonesColumn = jsonColumn('release_plans.milestones', anyList<Milestone>());

const select = (db: Db) => db.selectFrom('release_plans').selectAll();

export async function findPlan(db: Db, id: string): Promise<Plan | undefined> {
  const row = await select(db).where('id', '=', id).executeTakeFirst();
  return row && fromRow(row);
}

const selectOn = prepared<{ names: readonly string[] }>().query((db, { names }) =>
  select(db).where('feature_name', 'in', names).orderBy('id'),
);

/** Returns the plans after the plan `id`, in the order of their ids; those at the beginning for an empty id. */
export async function plansAfter(db: Db, id: string, limit: number): Promise<Plan[]> {
  return (await select(db).where('id', '>', id).orderBy('id').limit(limit).execute()).map(fromRow);
}

/** Returns the plans of flags, in any environment, with one statement. */
export async function plansOn(db: Db, names: readonly string[]): Promise<Plan[]> {
  return names.length === 0 ? [] : (await selectOn(db, { names })).map(fromRow);
}

/** Returns the flags that are held or off, by {@link keyOf}; null for flags that are neither. */
export async function stoppedFlags(
  db: Db,
  names: readonly string[],
): Promise<ReadonlyMap<string, 'hold' | 'off' | null>> {
  const rows = await db
    .selectFrom('feature_environments as e')
    .innerJoin('features as f', 'f.name', 'e.feature_name')
    .select(['e.feature_name', 'e.environment', 'e.enabled', 'e.lease_id', 'f.archived_at'])
    .where('e.feature_name', 'in', names)
    .execute();
  return new Map(
    rows.map((row) => {
      const isOff = row.enabled === 0 || row.archived_at !== null;
      const stoppedBy = row.lease_id === null ? (isOff ? 'off' : null) : 'hold';
      return [keyOf({ featureName: row.feature_name, environment: row.environment }), stoppedBy];
    }),
  );
}

/** Returns a map key for a flag in an environment: `["flag","production"]`. */
export function keyOf({ featureName, environment }: Pick<Plan, 'featureName' | 'environment'>): string {
  return JSON.stringify([featureName, environment]);
}

export async function insertPlan(tx: Tx, plan: Plan): Promise<void> {
  await tx.db.insertInto('release_plans').values(toRow(plan)).execute();
  replaceProgression(tx, plan);
}

/** Stores a changed plan, and replaces its job. */
export async function updatePlan(tx: Tx, plan: Plan): Promise<void> {
  const { id, ...row } = toRow(plan);
  await tx.db.updateTable('release_plans').set(row).where('id', '=', id).execute();
  replaceProgression(tx, plan);
}

export async function deletePlan(tx: Tx, id: string): Promise<void> {
  await tx.db.deleteFrom('release_plans').where('id', '=', id).execute();
  replaceProgression(tx, { id, nextAt: null });
}

/** Replaces the job of a plan: a plan has one job, which runs at `nextAt`, and none while that is null. */
function replaceProgression(tx: Tx, { id: planId, nextAt }: Pick<Plan, 'id' | 'nextAt'>): void {
  const job = nextAt === null ? undefined : { kind: progressionKind, runAt: nextAt, payload: { planId, at: nextAt } };
  tx.replaceJob(`${progressionKind}:${planId}`, job);
}

function toRow(plan: Plan): Row<'release_plans'> {
  return {
    id: plan.id,
    feature_name: plan.featureName,
    environment: plan.environment,
    name: plan.name,
    description: plan.description,
    template_id: plan.templateId,
    milestones: milestonesColumn.write(plan.milestones),
    active_milestone_id: plan.activeMilestoneId,
    shadow: Number(plan.shadow),
    paused_at: plan.pausedAt,
    pause_reason: plan.pauseReason,
    stopped_by: plan.stoppedBy,
    elapsed_ms: plan.elapsedMs,
    running_since: plan.runningSince,
    next_at: plan.nextAt,
    gated_at: plan.gatedAt,
    max_halts: plan.maxHalts,
    step_down_minutes: plan.stepDownMinutes,
    rest_minutes: plan.restMinutes,
    halts: plan.halts,
    created_by_user_id: plan.createdByUserId,
    created_at: plan.createdAt,
  };
}

export function fromRow(row: Row<'release_plans'>): Plan {
  return {
    id: row.id,
    featureName: row.feature_name,
    environment: row.environment,
    name: row.name,
    description: row.description,
    templateId: row.template_id,
    milestones: milestonesColumn.parse(row.milestones, row.id),
    activeMilestoneId: row.active_milestone_id,
    shadow: row.shadow === 1,
    pausedAt: row.paused_at,
    pauseReason: row.pause_reason,
    stoppedBy: row.stopped_by as StoppedBy | null,
    elapsedMs: row.elapsed_ms,
    runningSince: row.running_since,
    nextAt: row.next_at,
    gatedAt: row.gated_at,
    maxHalts: row.max_halts,
    stepDownMinutes: row.step_down_minutes,
    restMinutes: row.rest_minutes,
    halts: row.halts,
    createdByUserId: row.created_by_user_id,
    createdAt: row.created_at,
  };
}
