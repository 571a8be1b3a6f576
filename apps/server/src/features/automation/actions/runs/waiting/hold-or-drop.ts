import type { EventType } from '@yardarm/contract';
import { stopOfAll } from '#features/flags/automation-stops/index.ts';
import { findEndpoint } from '#features/signals/signals/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Tx } from '#storage/tx.ts';
import type { RunContext } from '../acting/run-actions.ts';
import { stopByEndpoint } from '../deciding/endpoint-stop.ts';
import { RunFacts } from '../deciding/run-facts.ts';
import { reportRun } from '../record/report-run.ts';
import { finishRun, type Run } from '../record/store.ts';
import { waitingJob } from '../record/waiting-job.ts';
import { skipWaiting } from '../record/waiting-store.ts';
import { resume } from './resume.ts';

/** The beginning of the reason of a run that a person dropped. */
export const droppedBy = 'Dropped by ';

/**
 * Runs the actions of a run that waits for a person, as the service account of its set, without checking the quorum and
 * the hours. Rejects with 409 when the run does not wait for a person, automation is frozen or in maintenance, or the
 * endpoint is disabled.
 */
export async function holdNow(tx: Tx, context: RunContext, run: Run, reason: string): Promise<void> {
  requireUndecided(run);
  const endpoint = await findEndpoint(tx.db, run.set.endpointId);
  const stop = (await stopOfAll(tx.db)) ?? stopByEndpoint(endpoint, tx.now);
  if (stop !== undefined) throw conflict(`${stop.reason} Until that has ended, hold the flag on its own page.`);
  await record(tx, 'action-run-approved', run, reason);
  tx.allowNoEvents('action runs');
  const { set, outcome } = await resume(tx, context, run, { occasion: 'person', facts: new RunFacts() });
  await finishRun(tx, run.id, set, outcome);
  if (outcome.state === 'waiting') tx.enqueue(waitingJob);
  await reportRun(tx, context, set, run, outcome);
}

/** Drops a run that waits for a person. Rejects with 409 when the run does not wait for a person. */
export async function drop(tx: Tx, run: Run, reason: string): Promise<void> {
  requireUndecided(run);
  await record(tx, 'action-run-dropped', run, reason);
  await skipWaiting(tx, [run.id], `${droppedBy}${tx.by.actor.name}: ${reason}`);
}

function requireUndecided({ id, state, decideBy }: Run): void {
  if (decideBy === null) throw conflict(`The run ${id} does not wait for a person: its state is ${state}.`);
}

function conflict(message: string): Problem {
  return new Problem('ConflictError', message);
}

async function record(
  tx: Tx,
  type: Extract<EventType, 'action-run-approved' | 'action-run-dropped'>,
  { id: runId, actionSetId, signalId, project, set: { name } }: Run,
  reason: string,
): Promise<void> {
  const data = { runId, actionSetId, name, reason };
  await tx.nested({ ...tx.by, reason, cause: { ...tx.by.cause, signalId, runId } }, async (part) =>
    part.record({ type, project, data }),
  );
}
