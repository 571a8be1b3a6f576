import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type BudgetLimits, EvaluationBudget, usualBudget } from '@yardarm/evaluation';

/** The playground evaluates a flag for many contexts in one request; it is for people who are signed in. */
const playgroundBudget: BudgetLimits = { ...usualBudget, request: 5 * usualBudget.request };

/** Units that are spent in one turn of the event loop before others have theirs: at most some 30 ms of work. */
const unitsPerTurn = 500_000;

/** Makes the budgets of requests, and counts the constraints that went over them. */
export class EvaluationBudgets {
  #refused = 0;
  readonly #onRefused = () => {
    this.#refused++;
  };

  /** Constraints that counted as not met because testing them would have gone over a budget. */
  get refused(): number {
    return this.#refused;
  }

  forRequest(): EvaluationBudget {
    return new EvaluationBudget(usualBudget, this.#onRefused);
  }

  forPlayground(): EvaluationBudget {
    return new EvaluationBudget(playgroundBudget, this.#onRefused);
  }
}

/** Divides the work of one request into turns of the event loop: of so many units, or of so many items. */
export class Turns {
  readonly #budget: EvaluationBudget;
  readonly #itemsPerTurn: number;
  #taken = 0;
  #items = 0;
  #end: number;

  constructor(budget: EvaluationBudget, itemsPerTurn = Number.POSITIVE_INFINITY) {
    this.#budget = budget;
    this.#itemsPerTurn = itemsPerTurn;
    this.#end = budget.spent + unitsPerTurn;
  }

  /** Turns that are over. */
  get taken(): number {
    return this.#taken;
  }

  /** Counts an item that is done. Returns a promise of the next turn when this one is over. */
  itemDone(): Promise<void> | undefined {
    if (++this.#items < this.#itemsPerTurn && this.#budget.spent < this.#end) return undefined;
    this.#taken++;
    this.#items = 0;
    this.#end = this.#budget.spent + unitsPerTurn;
    return yieldToEventLoop();
  }
}

/**
 * Visits each item in one turn of the event loop where that is cheap; returns a promise where what the visits spend of the
 * budget takes several turns.
 */
export function inTurns<T>(
  items: Iterable<T>,
  budget: EvaluationBudget,
  visit: (item: T) => void,
): Promise<void> | undefined {
  return visitRest(items[Symbol.iterator](), new Turns(budget), visit);
}

function visitRest<T>(items: Iterator<T>, turns: Turns, visit: (item: T) => void): Promise<void> | undefined {
  for (let next = items.next(); next.done !== true; next = items.next()) {
    visit(next.value);
    const yieldToEventLoop = turns.itemDone();
    if (yieldToEventLoop !== undefined) return yieldToEventLoop.then(() => visitRest(items, turns, visit));
  }
  return undefined;
}
