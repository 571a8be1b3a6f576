import { compileFilters, type FilterResult } from '#features/platform/payload-filters/index.ts';
import { releaseOf } from '../../kinds/index.ts';
import { hasArray, mostElements, type PayloadView, payloadViews } from '../../matching/index.ts';
import type { ActionSet } from '../../sets/index.ts';
import { onlyGivesBack } from './holding.ts';
import { filtersFor } from './triggers.ts';

/** A view of a payload that a set runs for. */
export interface MatchingView extends PayloadView {
  /** True when the run releases what the set holds, instead of running its actions. */
  readonly releases: boolean;
  /** The results of the filters that the view passed. */
  readonly filters: readonly FilterResult[];
}

/** The views of a payload that a set runs for, in the order of its array. */
export interface MatchingViews {
  readonly views: readonly MatchingView[];
  /** Where more views match than the set runs for: those that give flags back, which are not in `views`. */
  readonly ends: readonly MatchingView[];
  /** Why the set does not act on the payload, or on a part of it: a run with this outcome says so. */
  readonly stopped?: { readonly state: 'failed' | 'skipped'; readonly reason: string };
}

/**
 * Returns the views of a payload that pass the filters of a set or its release filters; the set runs once for each
 * view. A view that passes both runs the actions and releases nothing. A payload without the array at `forEach` has no
 * views. When more than `maxElements` views match, the set acts on the first ones, and a run says that the others are
 * refused. The sender reports the end of an alert once, so no end is left out.
 */
export function matchingViews(set: ActionSet, payload: unknown, maxElements = mostElements): MatchingViews {
  const { forEach } = set;
  if (!hasArray(payload, forEach)) {
    const stopped = { state: 'skipped', reason: `The payload has no array at ${forEach}.` } as const;
    return matchesOutside(set, payload) ? { views: [], ends: [], stopped } : { views: [], ends: [] };
  }
  const all = payloadViews(payload, forEach);
  const match = compileMatch(set);
  const views = all.flatMap((view) => {
    const { matches, ...matched } = match(view);
    return matches ? [{ ...view, ...matched }] : [];
  });
  if (views.length <= maxElements) return { views, ends: [] };
  const givesBack = (view: MatchingView) => onlyGivesBack(setFor(set, view));
  const acting = views.filter((view) => !givesBack(view));
  const refused = acting.length - maxElements;
  const first = { views: acting.slice(0, maxElements), ends: views.filter(givesBack) };
  if (refused <= 0) return first;
  const reason = `${acting.length} elements of the array at ${forEach} match, and actions run for ${maxElements}: the last ${refused} ${refused === 1 ? 'was' : 'were'} refused.`;
  return { ...first, stopped: { state: 'failed', reason } };
}

/**
 * Returns {@link matchingViews} of one payload. The views for a set are kept until it is edited: a signal with many
 * alerts takes several transactions, and each reads its sets again.
 */
export function viewsOfPayload(payload: unknown, maxElements: number): (set: ActionSet) => MatchingViews {
  const known = new Map<number, { readonly set: string; readonly views: MatchingViews }>();
  return (set) => {
    const text = JSON.stringify(set);
    const before = known.get(set.id);
    if (before?.set === text) return before.views;
    const views = matchingViews(set, payload, maxElements);
    known.set(set.id, { set: text, views });
    return views;
  };
}

/** Returns whether a payload passes the filters of a set that do not read the elements of an array. */
function matchesOutside({ filters }: ActionSet, payload: unknown): boolean {
  const outside = Object.entries(filters).filter(([path]) => !/^item(?![^.[])/.test(path));
  return compileFilters(Object.fromEntries(outside))(payload).every(({ passes }) => passes);
}

/** Whether a set runs for a view, and the results of the filters that decided. */
export interface Match extends Pick<MatchingView, 'releases' | 'filters'> {
  readonly matches: boolean;
}

/** Returns the function that tests views of one signal. */
export function compileMatch({
  trigger,
  filters,
  releaseFilters,
}: Pick<ActionSet, 'trigger' | 'filters' | 'releaseFilters'>): (view: PayloadView) => Match {
  const testActing = compileFilters(filtersFor({ trigger }, filters, 'began'));
  const testReleasing =
    releaseFilters === null ? undefined : compileFilters(filtersFor({ trigger }, releaseFilters, 'ended'));
  const allPass = (results: readonly FilterResult[]) => results.every(({ passes }) => passes);
  return ({ payload }) => {
    const acting = testActing(payload);
    if (allPass(acting)) return { matches: true, releases: false, filters: acting };
    const releasing = testReleasing?.(payload);
    return releasing !== undefined && allPass(releasing)
      ? { matches: true, releases: true, filters: releasing }
      : { matches: false, releases: false, filters: acting };
  };
}

/** Returns the set as it runs for a view: with its actions, or with those that release what they hold. */
export function setFor(set: ActionSet, { releases }: Pick<MatchingView, 'releases'>): ActionSet {
  return releases ? { ...set, actions: set.actions.flatMap((action) => releaseOf(action) ?? []) } : set;
}
