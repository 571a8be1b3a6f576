import type { Db } from '#storage/tx.ts';
import type { ActionSet, ListeningSet } from '../../sets/index.ts';
import { type MatchingView, matchingViews, setFor } from './matching-views.ts';
import { nameOf, placesOf, withSomethingToEnd } from './over-limit.ts';
import { canTrigger } from './triggers.ts';

/** A view of a payload that a set runs for, and the set as it runs for it. */
export interface ViewRun {
  readonly view: MatchingView;
  readonly set: ActionSet;
}

/**
 * Returns the runs of a set for a payload, and those that release what earlier versions of the set hold, by the filters
 * and conditions of these versions. A set runs once for an element: an element that the set runs for now releases
 * both. An element for which the set holds flags now has not ended.
 */
export async function withFormerEnds(
  db: Db,
  { formerEnds, ...set }: ListeningSet,
  { payload, signal }: { readonly payload: unknown; readonly signal: { readonly tokenId: number } },
  current: readonly ViewRun[],
): Promise<ViewRun[]> {
  const runs = new Map(current.map((run) => [run.view.element, run]));
  for (const { upToRunId: _, ...rule } of formerEnds) {
    if (rule.endpointId !== set.endpointId || !canTrigger(signal, rule)) continue;
    const former: ActionSet = { ...set, ...rule };
    const { views } = matchingViews(former, payload);
    const ending = await withSomethingToEnd(
      db,
      former,
      views.filter(({ releases }) => releases),
    );
    for (const view of ending) {
      const run = runs.get(view.element);
      if (run === undefined) runs.set(view.element, { view, set: setFor(former, view) });
      else if (run.view.releases) runs.set(view.element, withReleases(run, { view, set: setFor(former, view) }));
    }
  }
  return [...runs.values()];
}

/** Returns a run that also releases what another run of the same element would. */
function withReleases(run: ViewRun, { set: former, view }: ViewRun): ViewRun {
  const released = new Set(run.set.actions.flatMap((action) => placesOf(run.set, action, run.view)).map(nameOf));
  const added = former.actions.flatMap((action) =>
    placesOf(former, action, view)
      .filter((place) => !released.has(nameOf(place)))
      .map((place) => ({ ...action, executionParams: { ...action.executionParams, ...place } })),
  );
  return { ...run, set: { ...run.set, actions: [...run.set.actions, ...added] } };
}
