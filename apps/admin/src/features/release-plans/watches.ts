import type { ActionSet } from '../../entities/actions/action-queries.ts';
import type { Place } from '../../entities/release-plans/plan-queries.ts';
import { heldAtWords } from '../../entities/safeguards/safeguard-words.ts';

/** An action set that holds the flag of a plan, and so halts the plan. */
export interface Watch {
  readonly id: number;
  readonly name: string;
  /** How the flag is held: "off", "at 5 %", "at the milestone before". */
  readonly effect: string;
  /** Why the set does not halt the plan at present; null when it does. */
  readonly inactive: string | null;
}

/** Returns the sets that hold the flag in the environment, or take either from the signal. */
export function watchesOf(sets: readonly Watching[], { featureName, environment }: Place): Watch[] {
  return sets.flatMap(({ id, name, enabled, shadow, actions }) => {
    const fits = (value: unknown, wanted: string) => value === wanted || String(value).includes('{{');
    const holding = actions.find(
      ({ action, executionParams: params }) =>
        action === 'HOLD_FEATURE' &&
        fits(params['featureName'], featureName) &&
        fits(params['environment'], environment),
    );
    if (holding === undefined) return [];
    const inactive = enabled ? (shadow ? 'in shadow mode' : null) : 'disabled';
    return [{ id, name, effect: effectOf(holding.executionParams), inactive }];
  });
}

type Watching = Pick<ActionSet, 'id' | 'name' | 'enabled' | 'shadow'> & {
  readonly actions: readonly Pick<ActionSet['actions'][number], 'action' | 'executionParams'>[];
};

function effectOf({ effect, rollout, milestone = 'previous' }: Readonly<Record<string, unknown>>): string {
  if (effect === 'rollout') return `at ${String(rollout)} %`;
  if (effect !== 'milestone') return String(effect);
  return heldAtWords(String(milestone));
}
