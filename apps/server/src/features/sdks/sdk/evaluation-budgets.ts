import { type BudgetLimits, EvaluationBudget, usualBudget } from '@yardarm/evaluation';
import { yieldToEventLoop } from '#kernel/event-loop.ts';

/** The playground evaluates each flag for many contexts in one request. Only people who are logged in can use it. */
const playgroundBudget: BudgetLimits = { ...usualBudget, request: 5 * usualBudget.request };

/** Budget units spent in one turn of the event loop, about 30 ms of work at most. */
const unitsPerTurn = 500_000;

/** Creates the evaluation budget of each request, and counts the constraints that went over a budget. */
export class EvaluationBudgets {
  #refused = 0;
  readonly #onRefused = () => {
    this.#refused++;
  };

  /** The number of constraints that counted as not met because testing them would have gone over a budget. */
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

/**
 * Divides the work of one request into slices, each of which runs in a turn of the event loop, so that a large request
 * does not block the others. A slice ends after a number of budget units or of items.
 */
export class WorkSlices {
  readonly #budget: EvaluationBudget;
  readonly #itemsPerTurn: number;
  #finished = 0;
  #items = 0;
  #end: number;

  constructor(budget: EvaluationBudget, itemsPerTurn = Number.POSITIVE_INFINITY) {
    this.#budget = budget;
    this.#itemsPerTurn = itemsPerTurn;
    this.#end = budget.spent + unitsPerTurn;
  }

  /** The number of finished slices. */
  get finished(): number {
    return this.#finished;
  }

  /** Counts a finished item. Returns a promise of the next turn of the event loop when the slice is over. */
  itemDone(): Promise<void> | undefined {
    if (++this.#items < this.#itemsPerTurn && this.#budget.spent < this.#end) return undefined;
    this.#finished++;
    this.#items = 0;
    this.#end = this.#budget.spent + unitsPerTurn;
    return yieldToEventLoop();
  }
}

/** Visits each item, synchronously while one slice is enough. Returns a promise when the visits take several slices. */
export function forEachInSlices<T>(
  items: Iterable<T>,
  budget: EvaluationBudget,
  visit: (item: T) => void,
): Promise<void> | undefined {
  return visitRest(items[Symbol.iterator](), new WorkSlices(budget), visit);
}

function visitRest<T>(items: Iterator<T>, slices: WorkSlices, visit: (item: T) => void): Promise<void> | undefined {
  for (let next = items.next(); next.done !== true; next = items.next()) {
    visit(next.value);
    const nextSlice = slices.itemDone();
    if (nextSlice !== undefined) return nextSlice.then(() => visitRest(items, slices, visit));
  }
  return undefined;
}
