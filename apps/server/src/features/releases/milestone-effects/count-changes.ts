import { type CompiledFlag, type EvaluationContext, type FlagSet, readyContext } from '@yardarm/evaluation';
import type { RecentContext } from '#features/sdks/recent-contexts/index.ts';
import { type EvaluationBudgets, WorkSlices } from '#features/sdks/sdk/index.ts';
import type { Clock } from '#kernel/clock.ts';
import { EffectCounter } from './effect-counter.ts';
import { replayable } from './sample.ts';

export interface CompareOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly budgets: EvaluationBudgets;
}

/** A flag in an environment before and after a change. */
export interface Compared {
  readonly environment: string;
  /** Evaluates with parent flags as they are. */
  readonly flagSet: FlagSet;
  readonly before: CompiledFlag;
  readonly after: CompiledFlag;
}

/** Contexts per turn of the event loop: about a millisecond of work. */
const contextsAtOnce = 50;

/** Counts for how many contexts a change of a flag changes the answer. */
export async function countChanges(
  { clock, random, budgets }: CompareOptions,
  { environment, flagSet, before, after }: Compared,
  contexts: readonly EvaluationContext[],
): Promise<EffectCounter> {
  const budget = budgets.forPlayground();
  const slices = new WorkSlices(budget, contextsAtOnce);
  const counter = new EffectCounter();
  const now = clock.now();
  for (const context of contexts) {
    const numbers = replayable(random);
    const evaluate = (flag: CompiledFlag) =>
      flagSet.evaluate(flag, readyContext({ environment, ...context }, { now, random: numbers.replay(), budget }));
    counter.add(context, evaluate(before), evaluate(after));
    await slices.itemDone();
  }
  return counter;
}

/** Returns a context as the request had it: with a random session id where each request gets one. */
export function asSent(context: RecentContext, { random }: Pick<CompareOptions, 'random'>): EvaluationContext {
  return { ...context, sessionId: context.sessionId === null ? String(random()) : context.sessionId };
}
