import { systemActor } from '#kernel/actor.ts';
import { Problem } from '#kernel/errors.ts';
import { withRollback } from '#storage/rollback.ts';
import type { Tx } from '#storage/tx.ts';
import { type CurrentRun, causeOf } from '../deciding/current-run.ts';
import type { Outcome } from '../record/outcome.ts';
import { isHolding } from '../views/holding.ts';
import { runValues, templateValues } from '../views/template-values.ts';
import { executeAction } from './execute-action.ts';
import type { RunContext } from './run-actions.ts';

/**
 * Renews the holds that a stopped or failed run asked for and that its set has already. No flag changes, so no
 * permission is needed. An earlier release that still waits does not end a renewed hold, because the alert fires again.
 * Returns whether the set has all holds that the run asked for.
 */
export async function renewHolds(tx: Tx, context: RunContext, run: CurrentRun): Promise<boolean> {
  const { set, view, facts } = run;
  const cause = causeOf(tx, run);
  const account = await facts.account(tx.db, set.actorId);
  const author = { actor: account?.actor ?? systemActor, cause, reason: set.name, can: () => true };
  const values = templateValues(set, view, runValues(context, cause.runId));
  let hasAll = true;
  for (const action of set.actions.filter(isHolding)) {
    try {
      const result = await tx.nested(author, async (part) => {
        part.allowNoEvents('action runs');
        return executeAction(part, context.limits, set, action, values, { renewOnly: true });
      });
      if (result?.nothingToDo === true) hasAll = false;
    } catch (error) {
      // An action that cannot run, for example because the payload lacks a value, has no hold.
      if (!(error instanceof Problem)) throw error;
      hasAll = false;
    }
  }
  return hasAll;
}

/** Returns whether the set of a run has all holds that the run asks for, and renews none. */
export function lookUpHolds(tx: Tx, context: RunContext, run: CurrentRun): Promise<boolean> {
  return withRollback<boolean>(tx, async (part, rollback) => {
    part.allowNoEvents('action runs');
    return rollback(await renewHolds(part, context, run));
  });
}

/** The details of an action whose run was stopped, but whose hold exists from an earlier run. */
export const holdStaysText = 'The hold of an earlier run stays.';

/** Returns the outcome of a run whose set has all holds that the run asked for: actions without details say so. */
export function withStayingHolds(outcome: Outcome): Outcome {
  const actions = outcome.actions.map((action) =>
    isHolding(action) ? { ...action, details: action.details ?? holdStaysText } : action,
  );
  return { ...outcome, actions };
}
