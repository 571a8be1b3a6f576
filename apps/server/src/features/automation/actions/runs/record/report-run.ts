import type { Tx } from '#storage/tx.ts';
import { type ActionSet, noteBlockedSet } from '../../sets/index.ts';
import type { Outcome } from './outcome.ts';
import { withoutUrlPaths } from './visible-run.ts';

/**
 * A run is not reported within this time after an earlier run of the set that failed or was stopped in the same way.
 */
const quietMs = 10 * 60 * 1000;

interface FinishedRun {
  readonly id: number;
  readonly signalId: number;
}

/**
 * Counts a run for the metrics. Records an event when it failed, waits for a person, or was stopped by a guard or an
 * override, so that people are notified. Records none when an earlier run of the set ended in the same way in the last
 * ten minutes.
 */
export async function reportRun(
  tx: Tx,
  { onRun }: { readonly onRun: (outcome: Outcome) => void },
  set: ActionSet,
  run: FinishedRun,
  outcome: Outcome,
): Promise<void> {
  const { state, reason, guarded, decideBy, blocked } = outcome;
  if (set.shadow) return;
  tx.afterCommit(() => onRun(outcome));
  if (state === 'failed' || blocked === true) await noteBlockedSet(tx, set);
  if (state !== 'failed' && guarded !== true && decideBy === undefined) return;
  if (await wasTold(tx, set, run, outcome)) return;
  const { id: runId, signalId } = run;
  const data = { runId, actionSetId: set.id, name: set.name, state, reason: withoutUrlPaths(reason) };
  const event =
    state === 'failed'
      ? ({ type: 'action-run-failed', outcome: 'failure' } as const)
      : ({ type: 'action-run-stopped' } as const);
  await tx.nested({ ...tx.by, cause: { ...tx.by.cause, signalId, runId } }, async (part) =>
    part.record({ ...event, project: set.project, data }),
  );
}

async function wasTold(tx: Tx, { id: setId }: ActionSet, { id }: FinishedRun, { state, reason }: Outcome) {
  let earlier = tx.db
    .selectFrom('action_runs')
    .select('id')
    .where('action_set_id', '=', setId)
    .where('id', '<', id)
    .where('state', '=', state)
    // Shadow runs and replays are not reported.
    .where('shadow', '=', 0)
    .where('cause', '=', 'signal')
    .where('created_at', '>', tx.now - quietMs);
  // The reasons of guards begin with the name of the guard.
  if (state !== 'failed') earlier = earlier.where('reason', 'like', `${reason?.split(':')[0]}:%`);
  return (await earlier.orderBy('id', 'desc').limit(1).executeTakeFirst()) !== undefined;
}
