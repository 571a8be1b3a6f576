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
 * always cost the same number of units, so the result does not depend on the machine or its load.
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
