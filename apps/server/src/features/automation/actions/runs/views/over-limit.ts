import { heldUnder } from '#features/flags/holds/index.ts';
import { Problem } from '#kernel/errors.ts';
import type { Db } from '#storage/tx.ts';
import type { Action, ActionSet } from '../../sets/index.ts';
import { waitingConditions } from '../record/waiting-store.ts';
import { waitsForOf } from './holding.ts';
import { type MatchingView, setFor } from './matching-views.ts';
import { parametersOf } from './parameters.ts';
import { templateValues } from './template-values.ts';

/**
 * Returns, of the views that give flags back where more views match than a set runs for, those whose flags are held, or
 * for which a run waits to hold flags. The ends of alerts are never left out, and a sender cannot ask for more runs
 * than there are holds.
 */
export async function withSomethingToEnd(
  db: Db,
  set: ActionSet,
  views: readonly MatchingView[],
): Promise<MatchingView[]> {
  if (views.length === 0) return [];
  const ends = views.map((view) => ({
    view,
    waitsFor: waitsForOf(set, view),
    places: setFor(set, view).actions.flatMap((action) => placesOf(set, action, view)),
  }));
  const [held, waiting] = await Promise.all([
    heldUnder(
      db,
      ends.flatMap(({ places }) => places.map(({ key }) => key)),
    ),
    waitingConditions(db, set.id),
  ]);
  const heldPlaces = new Set(held.map(nameOf));
  return ends
    .filter(({ places, waitsFor }) => places.some((place) => heldPlaces.has(nameOf(place))) || waiting.has(waitsFor))
    .map(({ view }) => view);
}

/** A flag that an action releases, and under which key. */
export interface HeldPlace {
  readonly featureName: string;
  readonly environment: string;
  readonly key: string;
}

/** Returns the flag that an action releases, under each of its keys; none when its parameters cannot be rendered. */
export function placesOf(set: ActionSet, action: Action, view: MatchingView): HeldPlace[] {
  const values = templateValues(set, view, { id: 0, url: '' });
  return [values, ...(values.former === undefined ? [] : [{ ...values, ...values.former }])].flatMap((given) => {
    try {
      const { featureName, environment, key } = parametersOf(action, given).params as Record<string, unknown>;
      return { featureName: String(featureName), environment: String(environment), key: String(key) };
    } catch (error) {
      if (error instanceof Problem) return [];
      throw error;
    }
  });
}

export function nameOf({ featureName, environment, key }: HeldPlace): string {
  return JSON.stringify([featureName, environment, key]);
}
