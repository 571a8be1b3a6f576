import { Problem } from '../../../kernel/errors.ts';
import type { Db } from '../../../storage/tx.ts';
import { shownParameters } from '../kinds/index.ts';
import { matching, namedRun, type RunContext, renderedParameters } from '../runs/index.ts';
import type { ActionSet } from '../sets/index.ts';

const pageSize = 50;
const mostSignals = 5000;
const mostMatches = 500;

/** A run that there would have been. */
export interface Match {
  readonly signalId: number;
  readonly createdAt: number;
  readonly element: number | null;
  /** What each action would have been told, or why it could not. */
  readonly actions: readonly {
    readonly action: string;
    readonly executionParams: Readonly<Record<string, unknown>>;
    readonly problem: string | null;
  }[];
}

export interface Backtest {
  /** How many signals were looked at, the newest first. */
  readonly signals: number;
  readonly runs: number;
  /** Whether there were more signals than are looked at. */
  readonly truncated: boolean;
  /** The newest of the runs. */
  readonly matches: readonly Match[];
}

/** When a set would have run on the signals that its endpoint has received since then, and on what. It only reads. */
export async function backtest(db: Db, context: RunContext, set: ActionSet, since: number): Promise<Backtest> {
  const matches: Match[] = [];
  const run = namedRun(context);
  let [signals, runs, before] = [0, 0, Number.MAX_SAFE_INTEGER];
  for (;;) {
    const page = await db
      .selectFrom('signals')
      .select(['id', 'created_at', 'payload'])
      .where('endpoint_id', '=', set.endpointId)
      .where('id', '<', before)
      .where('created_at', '>=', since)
      .orderBy('id', 'desc')
      .limit(pageSize)
      .execute();
    for (const { id, created_at: createdAt, payload } of page) {
      signals++;
      const views = matching(set, JSON.parse(payload));
      if (views === 'too many') continue;
      runs += views.length;
      for (const view of views.slice(0, mostMatches - matches.length)) {
        const actions = set.actions.map((action) => ({
          action: action.action,
          ...told(action, { payload: view.payload, run }),
        }));
        matches.push({ signalId: id, createdAt, element: view.element, actions });
      }
      before = id;
    }
    if (page.length < pageSize) return { signals, runs, truncated: false, matches };
    if (signals >= mostSignals) return { signals, runs, truncated: true, matches };
  }
}

function told(
  { action, executionParams }: ActionSet['actions'][number],
  filling: Parameters<typeof renderedParameters>[1],
) {
  try {
    const rendered = renderedParameters({ action, executionParams }, filling);
    return { executionParams: shownParameters(action, rendered), problem: null };
  } catch (error) {
    if (error instanceof Problem)
      return { executionParams: shownParameters(action, executionParams), problem: error.message };
    throw error;
  }
}
