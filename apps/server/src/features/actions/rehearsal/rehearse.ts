import type { Author } from '../../../kernel/actor.ts';
import type { Writer } from '../../../storage/commit/write.ts';
import { mostElements, prepareFilters, type Verdict, viewsOf } from '../matching/index.ts';
import {
  Authors,
  filledIn,
  namedRun,
  type Outcome,
  type RanAction,
  type RunContext,
  runActions,
  undoing,
  whyHalted,
} from '../runs/index.ts';
import type { ActionSet } from '../sets/index.ts';

/** What one view of a payload would do. */
export interface Rehearsed {
  readonly element: number | null;
  readonly matches: boolean;
  readonly verdicts: readonly Verdict[];
  /** What would become of each action; null when the filters do not hold. */
  readonly outcome: Outcome | null;
}

export interface Rehearsal {
  readonly views: readonly Rehearsed[];
  /** Why nothing would be done now, though it matches. */
  readonly halted: string | null;
}

function withParameters(context: RunContext, actions: readonly RanAction[], payload: unknown): RanAction[] {
  return actions.map((one) => filledIn(one, { payload, run: namedRun(context) }));
}

/** Ends a rehearsal, with all that it did. */
class Over extends Error {
  readonly rehearsal: Rehearsal;
  constructor(rehearsal: Rehearsal) {
    super('over');
    this.rehearsal = rehearsal;
  }
}

/** Does what a payload would set off, each view for itself, tells what came of it, and takes all of it back. */
export async function rehearse(
  write: Writer['write'],
  by: Author,
  context: RunContext,
  set: ActionSet,
  payload: unknown,
): Promise<Rehearsal> {
  const attempt = write(by, async (tx): Promise<Rehearsal> => {
    const views: Rehearsed[] = [];
    const verdictsOf = prepareFilters(set.filters);
    const authors = new Authors();
    for (const view of viewsOf(payload, set.forEach).slice(0, mostElements)) {
      const verdicts = verdictsOf(view.payload);
      const matches = verdicts.every((verdict) => verdict.passes);
      const outcome = matches
        ? await undoing<Outcome>(tx, async (part, undo) =>
            undo(await runActions(part, context, set, view, {}, authors)),
          )
        : null;
      const filled = outcome && { ...outcome, actions: withParameters(context, outcome.actions, view.payload) };
      views.push({ element: view.element, matches, verdicts, outcome: filled });
    }
    throw new Over({ views, halted: (await whyHalted(tx.db)) ?? null });
  });
  return attempt.catch((error: unknown) => {
    if (error instanceof Over) return error.rehearsal;
    throw error;
  });
}
