/** How many units of work an evaluation may take; see {@link EvaluationBudget}. */
export interface BudgetLimits {
  /** For all flags that are evaluated with the budget together. */
  readonly request: number;
  /** For each evaluation of one flag; a parent that it depends on has as much again. */
  readonly flag: number;
}

export const usualBudget: BudgetLimits = { request: 10_000_000, flag: 500_000 };

/**
 * Bounds the work of searching texts, which a caller and a flag choose together. A unit is one character of a text
 * times one character of a pattern, with the pattern's repeats written out; it takes at most about 60 ns. The same flag
 * and context always take the same number of units, whatever the machine or its load.
 */
export class EvaluationBudget {
  readonly #perFlag: number;
  #ofRequest: number;
  #ofFlag: number;
  readonly #onRefused: (() => void) | undefined;
  #spent = 0;

  /** `onRefused` is called for each search that is left out because it would go over the budget. */
  constructor({ request, flag }: BudgetLimits = usualBudget, onRefused?: () => void) {
    this.#perFlag = flag;
    this.#ofFlag = flag;
    this.#ofRequest = request;
    this.#onRefused = onRefused;
  }

  /** Units spent so far. */
  get spent(): number {
    return this.#spent;
  }

  /** Takes the units of one search. Returns false, and takes nothing, when there are not that many left. */
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

  /** Begins the evaluation of a flag. Returns what {@link endFlag} needs. */
  beginFlag(): number {
    const before = this.#ofFlag;
    this.#ofFlag = this.#perFlag;
    return before;
  }

  /** Ends the evaluation of a flag: the flag whose evaluation needed it goes on with what it had left. */
  endFlag(before: number): void {
    this.#ofFlag = before;
  }
}
