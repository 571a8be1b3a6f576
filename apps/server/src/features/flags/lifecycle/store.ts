import type { Completion } from '#features/flags/feature/index.ts';
import { type Db, sql, type Tx } from '#storage/tx.ts';
import type { Stage } from './stage.ts';

/** Computes the stage of a row of `features`, named `table` in the query; the SQL counterpart of `stagesOf`. */
export function stageOf(table: string) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<Stage>`case when ${column('archived_at')} is not null then 'archived'
    when ${column('completed_at')} is not null then 'completed' when ${column('live_at')} is not null then 'live'
    when ${column('pre_live_at')} is not null then 'pre-live' else 'initial' end`;
}

/** Counts flags by project and stage, of one project or of all projects except `notIn`, with one statement. */
export async function countStages(
  db: Db,
  filter: { readonly project?: string; readonly notIn?: readonly string[] } = {},
): Promise<{ project: string; stage: Stage; count: number }[]> {
  let query = db
    .selectFrom('features as f')
    .select((eb) => ['f.project', stageOf('f').as('stage'), eb.fn.countAll<number>().as('count')])
    .groupBy(['f.project', stageOf('f')])
    .orderBy('f.project');
  if (filter.project !== undefined) query = query.where('f.project', '=', filter.project);
  if (filter.notIn !== undefined && filter.notIn.length > 0) query = query.where('f.project', 'not in', filter.notIn);
  return query.execute();
}

/** Stores that flags entered a stage; skips flags that are in the stage or a later one. */
export async function enterStage(tx: Tx, stage: 'pre-live' | 'live', names: readonly string[]): Promise<void> {
  let query = tx.db
    .updateTable('features')
    .set(stage === 'live' ? { live_at: tx.now } : { pre_live_at: tx.now })
    .where('name', 'in', names)
    .where('live_at', 'is', null)
    .where('completed_at', 'is', null)
    .where('archived_at', 'is', null);
  if (stage === 'pre-live') query = query.where('pre_live_at', 'is', null);
  await query.execute();
}

/** Sets the completion of a flag; null clears it. */
export async function setCompletion(tx: Tx, name: string, completion: Completion | null): Promise<void> {
  await tx.db
    .updateTable('features')
    .set({
      completed_at: completion?.at ?? null,
      completed_status: completion?.status ?? null,
      completed_value: completion?.value ?? null,
    })
    .where('name', '=', name)
    .execute();
}
