/** The maximum units of work of an evaluation; see {@link EvaluationBudget}. */
export interface BudgetLimits {
  /** The limit for all flags of a request together. */
  readonly request: number;
  /** The limit for each flag; a parent flag has its own limit. */
  readonly flag: number;
}

export const usualBudget: BudgetLimits = { request: 10_000_000, flag: 500_000 };

/**
 * Limits the work of text searches, whose cost depends on both the context and the flag. A unit is one character of the
 * text times one character of the pattern with its repeats expanded, about 60 ns at most. The same flag and context
 * always cost the same number of units, so the result does not depend on the machine or its load. A deadline by the
 * clock would make a flag on or off by that load, and a thread keeps the event loop free, but not the processor.
 *
 * Without it, one request with a public frontend token and a `userId` of 9,900 characters took 160 s for one flag with
 * 870 patterns. A parent has a budget of its own, so that it is the same for all its children. Only in a request that
 * uses up the budget of all flags, some 7,000 usual patterns, do the last flags depend on those before;
 * `evaluation_over_budget_total` tells. SDKs that evaluate have no budget, and may be on where the server says off.
 */
export class EvaluationBudget {
  readonly #perFlag: number;
  #ofRequest: number;
  #ofFlag: number;
  readonly #onRefused: (() => void) | undefined;
  #spent = 0;

  /** `onRefused` is called for each search that is skipped because it would exceed the budget. */
  constructor({ request, flag }: BudgetLimits = usualBudget, onRefused?: () => void) {
    this.#perFlag = flag;
    this.#ofFlag = flag;
    this.#ofRequest = request;
    this.#onRefused = onRefused;
  }

  /** The number of units spent so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Spends the units of one search. Returns false and spends nothing when too few are left. */
  spend(units: number): boolean {
    if (units > this.#ofFlag || units > this.#ofRequest) {
      this.#onRefused?.();
      return false;
    }
    this.#ofFlag -= units;
    this.#ofRequest -= units;
    this.#spent += units;
    return true;
  }

  /** Begins the evaluation of a flag. Returns the value to pass to {@link endFlag}. */
  beginFlag(): number {
    const before = this.#ofFlag;
    this.#ofFlag = this.#perFlag;
    return before;
  }

  /** Ends the evaluation of a flag and restores the remaining units of the flag that depends on it. */
  endFlag(before: number): void {
    this.#ofFlag = before;
  }
}
