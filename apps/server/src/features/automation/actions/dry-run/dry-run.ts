import { stopOfAll } from '#features/flags/automation-stops/index.ts';
import type { FilterResult } from '#features/platform/payload-filters/index.ts';
import type { Author } from '#kernel/actor.ts';
import type { Writer } from '#storage/commit/write.ts';
import { withRollback } from '#storage/rollback.ts';
import { payloadViews } from '../matching/index.ts';
import {
  compileMatch,
  matchingViews,
  notRun,
  type Outcome,
  type RanAction,
  type RunContext,
  RunFacts,
  renderParametersIfPossible,
  runActions,
  runValues,
  setFor,
  withSomethingToEnd,
} from '../runs/index.ts';
import type { ActionSet } from '../sets/index.ts';

/** The result of the dry run for one view of the payload. */
export interface DryRunView {
  readonly element: number | null;
  readonly matches: boolean;
  /** True when the run would release what the set holds. */
  readonly releases: boolean;
  readonly filterResults: readonly FilterResult[];
  /** The result of each action; null when the filters do not pass. */
  readonly outcome: Outcome | null;
}

export interface DryRun {
  readonly views: readonly DryRunView[];
  /** The reason why a run would change nothing now (freeze or maintenance); null when there is none. */
  readonly halted: string | null;
}

function withParameters(context: RunContext, actions: readonly RanAction[], payload: unknown): RanAction[] {
  return actions.map((action) => renderParametersIfPossible(action, { payload, run: runValues(context) }));
}

/** Returns the result for a payload with too many elements: a run that fails. */
function failedView(set: ActionSet, reason: string): DryRunView {
  const outcome = notRun(set, 'failed', reason);
  return { element: null, matches: true, releases: false, filterResults: [], outcome };
}

/** Rolls the dry run back and carries its result. */
class DryRunRollback extends Error {
  readonly dryRun: DryRun;
  constructor(dryRun: DryRun) {
    super('rolled back');
    this.dryRun = dryRun;
  }
}

/** Runs a set on a payload in a transaction, view by view, returns the results, and rolls everything back. */
export async function dryRunSet(
  write: Writer['write'],
  by: Author,
  context: RunContext,
  set: ActionSet,
  { payload, maxElements }: { readonly payload: unknown; readonly maxElements: number },
): Promise<DryRun> {
  const attempt = write(by, async (tx): Promise<DryRun> => {
    const { stopped, views: first, ends } = matchingViews(set, payload, maxElements);
    const tooMany = stopped?.state === 'failed' ? stopped : undefined;
    const views: DryRunView[] = tooMany === undefined ? [] : [failedView(set, tooMany.reason)];
    const isLarge = tooMany !== undefined || ends.length > 0;
    const match = compileMatch(set);
    const facts = new RunFacts();
    const running = isLarge
      ? [...(await withSomethingToEnd(tx.db, set, ends)), ...first]
      : payloadViews(payload, set.forEach);
    for (const view of running) {
      const { matches, releases, filters: filterResults } = match(view);
      const outcome = matches
        ? await withRollback<Outcome>(tx, async (part, rollback) => {
            part.allowNoEvents('action runs');
            return rollback(await runActions(part, context, setFor(set, { releases }), view, {}, facts));
          })
        : null;
      const filled = outcome && { ...outcome, actions: withParameters(context, outcome.actions, view.payload) };
      views.push({ element: view.element, matches, releases, filterResults, outcome: filled });
    }
    throw new DryRunRollback({ views, halted: (await stopOfAll(tx.db))?.reason ?? null });
  });
  return attempt.catch((error: unknown) => {
    if (error instanceof DryRunRollback) return error.dryRun;
    throw error;
  });
}
