import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import { shownParameters } from '../kinds/index.ts';
import { canTrigger, matchingViews, type RunContext, renderParameters, runValues, setFor } from '../runs/index.ts';
import type { ActionSet } from '../sets/index.ts';
import { maxSignals, newestSignals } from './stored-signals.ts';

const maxMatches = 500;

/** A run that the set would have made. */
export interface Match {
  readonly signalId: number;
  readonly createdAt: number;
  readonly element: number | null;
  /** The rendered parameters of each action, or the reason why they could not be rendered. */
  readonly actions: readonly {
    readonly action: string;
    readonly executionParams: Readonly<Record<string, unknown>>;
    readonly problem: string | null;
  }[];
}

export interface Backtest {
  /** The number of signals that were read, newest first. */
  readonly signals: number;
  readonly runs: number;
  /** True when the limit of signals was reached. */
  readonly truncated: boolean;
  /** The newest runs. */
  readonly matches: readonly Match[];
}

/** Finds the runs that a set would have made on the stored signals of its endpoint since a time. It only reads. */
export async function backtest(
  db: Db,
  context: RunContext,
  set: ActionSet,
  { since, maxElements }: { readonly since: number; readonly maxElements: number },
): Promise<Backtest> {
  const matches: Match[] = [];
  const run = runValues(context);
  let [signals, runs] = [0, 0];
  for await (const { id, tokenId, createdAt, payload } of newestSignals(db, set.endpointId, since)) {
    signals++;
    if (!canTrigger({ tokenId }, set)) continue;
    const { views, stopped } = matchingViews(set, payload, maxElements);
    if (stopped !== undefined) {
      if (stopped.state === 'skipped') continue;
      // The last of too many elements are refused. Which ends would have released is unknown: no hold existed.
      runs++;
      const actions = set.actions.map(({ action, executionParams }) => {
        return { action, executionParams: shownParameters(action, executionParams), problem: stopped.reason };
      });
      if (matches.length < maxMatches) matches.push({ signalId: id, createdAt, element: null, actions });
    }
    runs += views.length;
    for (const view of views.slice(0, maxMatches - matches.length)) {
      const actions = setFor(set, view).actions.map((action) => ({
        action: action.action,
        ...tryRender(action, { payload: view.payload, run }),
      }));
      matches.push({ signalId: id, createdAt, element: view.element, actions });
    }
  }
  return { signals, runs, truncated: signals === maxSignals, matches };
}

function tryRender(
  { action, executionParams }: ActionSet['actions'][number],
  values: Parameters<typeof renderParameters>[1],
) {
  try {
    const rendered = renderParameters({ action, executionParams }, values);
    return { executionParams: shownParameters(action, rendered), problem: null };
  } catch (error) {
    if (error instanceof Problem)
      return { executionParams: shownParameters(action, executionParams), problem: error.message };
    throw error;
  }
}
