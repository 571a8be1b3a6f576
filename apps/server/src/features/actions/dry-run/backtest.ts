import { Problem } from '../../../kernel/errors.ts';
import type { Db } from '../../../storage/tx.ts';
import { signalValue } from '../../signals/index.ts';
import { shownParameters } from '../kinds/index.ts';
import { matchingViews, type RunContext, renderParameters, runValues, setFor } from '../runs/index.ts';
import type { ActionSet } from '../sets/index.ts';

const pageSize = 50;
const maxSignals = 5000;
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
export async function backtest(db: Db, context: RunContext, set: ActionSet, since: number): Promise<Backtest> {
  const matches: Match[] = [];
  const run = runValues(context);
  let [signals, runs, before] = [0, 0, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const page = await db
      .selectFrom('signals')
      .select(['id', 'created_at', 'payload', 'normalized'])
      .where('endpoint_id', '=', set.endpointId)
      .where('id', '<', before)
      .where('created_at', '>=', since)
      .orderBy('id', 'desc')
      .limit(pageSize)
      .execute();
    for (const { id, created_at: createdAt, ...signal } of page) {
      signals++;
      const views = matchingViews(set, signalValue(signal));
      if (typeof views === 'string') continue;
      runs += views.length;
      for (const view of views.slice(0, maxMatches - matches.length)) {
        const actions = setFor(set, view).actions.map((action) => ({
          action: action.action,
          ...tryRender(action, { payload: view.payload, run }),
        }));
        matches.push({ signalId: id, createdAt, element: view.element, actions });
      }
      before = id;
    }
    if (page.length < pageSize) return { signals, runs, truncated: false, matches };
    if (signals >= maxSignals) return { signals, runs, truncated: true, matches };
  }
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
