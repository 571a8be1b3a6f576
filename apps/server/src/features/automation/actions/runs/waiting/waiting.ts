import { stopFor, stopOfAll } from '#features/flags/automation-stops/index.ts';
import { findEndpoint } from '#features/signals/signals/index.ts';
import type { JobKind } from '#jobs/runner.ts';
import { type Author, systemActor } from '#kernel/actor.ts';
import type { Tx } from '#storage/tx.ts';
import type { RunContext } from '../acting/run-actions.ts';
import { stopByEndpoint } from '../deciding/endpoint-stop.ts';
import { RunFacts } from '../deciding/run-facts.ts';
import { decisionMs, undecidedReason } from '../deciding/undecided.ts';
import { reportRun } from '../record/report-run.ts';
import { finishRun } from '../record/store.ts';
import { waitingJob } from '../record/waiting-job.ts';
import {
  leaveToPerson,
  skipWaiting,
  undecidedRuns,
  type WaitingRun,
  waitingRuns,
  waitOn,
} from '../record/waiting-store.ts';
import { resume } from './resume.ts';

/** The maximum number of runs per transaction, because other changes wait for the transaction. */
const maxRuns = 20;
/** The interval at which the job checks whether automation is still halted. */
const haltedMs = 2000;
/** The maximum time between two checks of the waiting runs. */
const longestMs = 10_000;
const author: Author = { actor: systemActor, cause: {} };

export interface ContinueOptions extends RunContext {
  /** Called after waiting runs have continued. */
  readonly onContinued: () => void;
}

/**
 * Returns the job that continues waiting runs when automation is no longer halted and their guard allows it. A run that
 * has to wait longer stays; a run whose set or signal was deleted is skipped with that reason. While automation is
 * halted, the runs that wait to hold flags are left to a person. They are dropped when no person decides in time.
 */
export function continueWaitingRuns(options: ContinueOptions): JobKind {
  return {
    kind: waitingJob.kind,
    recurring: true,
    records: true,
    run: async (tx) => {
      const nextDecision = await dropOverdue(tx);
      const times = [await continueRuns(tx, options), nextDecision].flatMap((time) => time ?? []);
      return times.length === 0 ? undefined : Math.min(...times, tx.now + longestMs);
    },
  };
}

/** Continues the runs that are due. Returns the time of the next check; undefined when no run waits. */
async function continueRuns(tx: Tx, options: ContinueOptions): Promise<number | undefined> {
  const waiting = await waitingRuns(tx.db, maxRuns);
  if (waiting.length === 0) return undefined;
  const stop = stopFor('waiting hold', await stopOfAll(tx.db));
  if (stop !== undefined) {
    await leaveToPerson(tx, { reason: undecidedReason(stop.reason), decideBy: tx.now + decisionMs });
    return tx.now + haltedMs;
  }
  const due = waiting.filter(({ waitsUntil }) => waitsUntil <= tx.now);
  const facts = new RunFacts();
  tx.allowNoEvents('action runs');
  for (const run of due) await tx.nested(author, (part) => continueRun(part, options, run, facts));
  if (due.length > 0) tx.afterCommit(options.onContinued);
  const [next] = await waitingRuns(tx.db, 1);
  return next && Math.max(next.waitsUntil, tx.now);
}

/**
 * Drops the runs about which no person decided in time. Returns the time of the next check; undefined when no run waits
 * for a person. That time is soon, because a release that begins to wait meanwhile does not wake this job.
 */
async function dropOverdue(tx: Tx): Promise<number | undefined> {
  const undecided = await undecidedRuns(tx.db, maxRuns + 1);
  const overdue = undecided.filter(({ decide_by }) => decide_by <= tx.now).slice(0, maxRuns);
  const ids = overdue.map(({ id }) => id);
  await skipWaiting(tx, ids, `Dropped: no person decided within ${decisionMs / 3_600_000} hours.`);
  return undecided.length > overdue.length ? tx.now + haltedMs : undefined;
}

async function continueRun(tx: Tx, context: RunContext, run: WaitingRun, facts: RunFacts): Promise<void> {
  tx.allowNoEvents('action runs');
  const endpoint = await findEndpoint(tx.db, run.set.endpointId);
  const kind = run.waitsFor === null ? 'release by an action' : 'waiting hold';
  const stop = stopFor(kind, stopByEndpoint(endpoint, tx.now));
  if (stop?.rule === 'waits') return waitOn(tx, run.id, tx.now + longestMs);
  if (stop !== undefined) {
    const [reason, decideBy] = [undecidedReason(stop.reason), tx.now + decisionMs];
    return leaveToPerson(tx, { id: run.id, reason, decideBy });
  }
  const occasion = run.waitsFor === null ? 'waiting release' : 'waiting hold';
  const { set, outcome } = await resume(tx, context, run, { occasion, facts });
  await finishRun(tx, run.id, set, outcome);
  // A run that still waits was reported when it began to wait, unless it waits for a person from now on.
  if (outcome.state !== 'waiting' || outcome.decideBy !== undefined) await reportRun(tx, context, set, run, outcome);
}
