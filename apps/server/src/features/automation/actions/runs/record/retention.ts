import { type IsOnHold, retentionJob } from '#jobs/retention.ts';
import type { JobKind } from '#jobs/runner.ts';
import type { Tx } from '#storage/tx.ts';

const dayMs = 24 * 60 * 60 * 1000;
const restMs = 60 * 60 * 1000;
/** Runs deleted in one step: few, so that no request waits long. */
const stepRuns = 1000;

export interface RunRetention {
  /** The days after which signals, and runs that no event names, are deleted; 0 keeps them for ever. */
  readonly signalDays: number;
  /** The retention of the events of changes; 0 keeps them for ever. Runs that such events name are kept as long. */
  readonly eventDays: number;
}

/** Returns the jobs that delete old runs, and the counts of flags that runs have changed. */
export function actionRetention({ signalDays, eventDays }: RunRetention, isOnHold: IsOnHold): JobKind[] {
  return [
    retentionJob('action-effect-retention', [{ table: 'action_effects', column: 'created_at', days: 90 }], isOnHold),
    {
      kind: 'action-retention',
      recurring: true,
      run: async (tx) => {
        if (signalDays === 0 || (await isOnHold(tx.db))) return tx.now + restMs;
        if (eventDays > 0) await deleteUnnamedRuns(tx, tx.now - eventDays * dayMs);
        return (await deleteOrKeep(tx, tx.now - signalDays * dayMs)) ? tx.now : tx.now + restMs;
      },
    },
  ];
}

/**
 * Deletes the old runs of one step that no event names, and marks the others as kept. Skips runs that still wait.
 * Returns whether more may follow.
 */
async function deleteOrKeep(tx: Tx, before: number): Promise<boolean> {
  const rows = await tx.db
    .selectFrom('action_runs')
    .select('id')
    .where('kept', '=', 0)
    .where('created_at', '<', before)
    .where('state', '<>', 'waiting')
    .orderBy('created_at')
    .limit(stepRuns)
    .execute();
  if (rows.length === 0) return false;
  const ids = rows.map(({ id }) => id);
  const named = await tx.db.selectFrom('events').select('run_id').distinct().where('run_id', 'in', ids).execute();
  const namedIds = new Set(named.map(({ run_id }) => run_id));
  const unnamedIds = ids.filter((id) => !namedIds.has(id));
  await tx.db.updateTable('action_runs').set({ kept: 1 }).where('id', 'in', ids).execute();
  if (unnamedIds.length > 0) await tx.db.deleteFrom('action_runs').where('id', 'in', unnamedIds).execute();
  return rows.length === stepRuns;
}

/** Deletes kept runs of one step that no event names any more. */
async function deleteUnnamedRuns(tx: Tx, before: number): Promise<void> {
  const unnamed = tx.db
    .selectFrom('action_runs')
    .select('id')
    .where('kept', '=', 1)
    .where('created_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('events').select('events.id').whereRef('events.run_id', '=', 'action_runs.id'))),
    )
    .orderBy('created_at')
    .limit(stepRuns);
  await tx.db.deleteFrom('action_runs').where('id', 'in', unnamed).execute();
}
