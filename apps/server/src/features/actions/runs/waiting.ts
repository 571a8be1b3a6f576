import type { JobKind } from '../../../jobs/runner.ts';
import { type Author, systemActor } from '../../../kernel/actor.ts';
import type { Tx } from '../../../storage/tx.ts';
import { findEndpoint, findSignal, signalValue } from '../../signals/index.ts';
import { findSet } from '../sets/index.ts';
import { AccountCache } from './account-cache.ts';
import { disabledReason, haltReason } from './handle-signals.ts';
import { checkHours } from './hours.ts';
import { reportRun } from './report-run.ts';
import type { RunContext } from './run-actions.ts';
import { attempt, matchingViews, notRun, setFor } from './run-set.ts';
import { finishRun, type WaitingRun, waitingRuns, waitOn } from './store.ts';
import { waitingJob } from './waiting-job.ts';

/** The maximum number of runs per transaction, because other changes wait for it. */
const maxRuns = 20;
/** How often the job looks whether automation runs again. */
const haltedMs = 2000;
/** The longest time between two looks at waiting runs. */
const longestMs = 10_000;
const author: Author = { actor: systemActor, cause: {} };

export interface ContinueOptions extends RunContext {
  /** Called after waiting runs have continued. */
  readonly onContinued: () => void;
}

/**
 * Returns the job that continues waiting runs, oldest first, once automation runs again and their guard allows it. A
 * run that has to wait on stays; one whose set or signal is gone is skipped with that reason.
 */
export function continueWaitingRuns(options: ContinueOptions): JobKind {
  return {
    kind: waitingJob.kind,
    recurring: true,
    records: true,
    run: async (tx) => {
      const waiting = await waitingRuns(tx.db, maxRuns);
      if (waiting.length === 0) return undefined;
      if ((await haltReason(tx.db)) !== undefined) return tx.now + haltedMs;
      const due = waiting.filter(({ waitsUntil }) => waitsUntil <= tx.now);
      const accounts = new AccountCache();
      tx.allowNoEvents('action runs');
      for (const run of due) await tx.nested(author, (part) => continueRun(part, options, run, accounts));
      if (due.length > 0) tx.afterCommit(options.onContinued);
      const [next] = await waitingRuns(tx.db, 1);
      return next && Math.min(Math.max(next.waitsUntil, tx.now), tx.now + longestMs);
    },
  };
}

async function continueRun(tx: Tx, context: RunContext, run: WaitingRun, accounts: AccountCache): Promise<void> {
  tx.allowNoEvents('action runs');
  const [set, signal] = await Promise.all([findSet(tx.db, run.actionSetId), findSignal(tx.db, run.signalId)]);
  const skip = (reason: string): Promise<void> =>
    finishRun(tx, run.id, set ?? run.set, notRun(set ?? { actions: [] }, 'skipped', reason));
  if (set === undefined) return skip('The set of actions was deleted while this run waited.');
  if (!set.enabled) return skip('The set of actions was switched off while this run waited.');
  if (signal === undefined) return skip('The signal was deleted while this run waited.');
  const endpoint = await findEndpoint(tx.db, signal.endpointId);
  if (endpoint !== undefined && disabledReason(endpoint, tx.now) !== undefined)
    return waitOn(tx, run.id, tx.now + longestMs);
  const views = matchingViews(set, signalValue(signal));
  const view = typeof views === 'string' ? undefined : views.find(({ element }) => element === run.element);
  if (view === undefined)
    return skip('The set of actions was changed while this run waited: the signal does not match.');
  const running = setFor(set, view);
  const closed = run.waitsFor === null ? undefined : checkHours(set, tx.now);
  if (closed !== undefined) return skip(closed);
  const outcome = await attempt(tx, context, running, view, run.id, { signal, cause: 'signal', accounts });
  await finishRun(tx, run.id, running, outcome);
  // A run that waits on was reported when it began to wait.
  if (outcome.state !== 'waiting') await reportRun(tx, context, set, run, outcome);
}
