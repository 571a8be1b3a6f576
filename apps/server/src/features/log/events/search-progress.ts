import type { IdRange } from '#storage/event-text-search.ts';
import type { Search } from '#storage/search.ts';
import type { Step, Walk } from './search-walk.ts';

export interface FoundEvents {
  /** The ids of the requested page, newest first. */
  readonly ids: readonly number[];
  /** The number of matches from the cursor on: exact when the relation is `eq`, a lower limit when it is `gte`. */
  readonly total: number;
  readonly totalRelation: 'eq' | 'gte';
  /** The cursor that continues the search; null when there are no older matches. */
  readonly nextCursor: string | null;
}

interface Goal {
  /** The number of matches before the page, and the size of the page. */
  readonly skip: number;
  readonly limit: number;
  /** The maximum number of matches that are counted. */
  readonly counted: number;
  /** The maximum number of rows to examine, in total and after the page is full. */
  readonly rows: number;
  readonly rowsToCount: number;
}

/** The costs of the first, the cheapest and the most expensive step, in rows of an index. */
const [firstStep, shortestStep, longestStep] = [4000, 1000, 40_000];
/**
 * A step that takes less than these milliseconds makes the next step larger; one that takes more than twice as long
 * makes it smaller.
 */
const quickMs = 4;
const growth = 4;

/** The progress of a search, which examines a range of ids from the newest to the oldest in steps. */
export class SearchProgress {
  readonly #goal: Goal;
  readonly #ids: number[] = [];
  #range: IdRange;
  #matches = 0;
  #rowsLeft: number;
  #begun = false;

  constructor(range: IdRange, goal: Goal) {
    this.#range = range;
    this.#goal = goal;
    this.#rowsLeft = goal.rows;
  }

  /** The range that is left to search. */
  get range(): IdRange {
    return this.#range;
  }

  /** True after the first step. */
  get hasBegun(): boolean {
    return this.#begun;
  }

  get isFull(): boolean {
    return this.#ids.length === this.#goal.limit;
  }

  /** The number of matches found so far. */
  get matches(): number {
    return this.#matches;
  }

  /** True when the range is finished, the row limit is reached, or the page is full and enough matches are counted. */
  get isOver(): boolean {
    return this.#isWhole || this.#rowsLeft <= 0 || (this.isFull && this.#matches > this.#goal.counted);
  }

  /** Takes at most `steps` steps of a walk. Stops early when the search is over or a step makes no progress. */
  async follow(walk: Walk, search: Search, steps = Number.POSITIVE_INFINITY): Promise<void> {
    let most = firstStep;
    for (let taken = 0; taken < steps && !this.isOver; taken++) {
      const began = search.usedMs;
      const { skip, limit } = this.#goal;
      const part = { skip: Math.max(0, skip - this.#matches), take: limit - this.#ids.length };
      const step = await walk.step(this.#range, Math.ceil(Math.min(most, this.#rowsLeft) / walk.cost), part);
      if (step.reached >= this.#range.before) return;
      this.#add(step, walk.cost);
      const tookMs = search.usedMs - began;
      if (tookMs < quickMs) most = Math.min(most * growth, longestStep);
      else if (tookMs > 2 * quickMs) most = Math.max(most / growth, shortestStep);
    }
  }

  found(): FoundEvents {
    const { skip, limit, counted } = this.#goal;
    const isExact = this.#isWhole && this.#matches <= counted;
    const isMore = !this.#isWhole || this.#matches > skip + limit;
    return {
      ids: this.#ids,
      total: Math.min(this.#matches, counted),
      totalRelation: isExact ? 'eq' : 'gte',
      nextCursor: isMore ? this.#cursor() : null,
    };
  }

  get #isWhole(): boolean {
    return this.#range.before - 1 <= this.#range.after;
  }

  #add(step: Step, cost: number): void {
    this.#begun = true;
    this.#ids.push(...step.ids);
    this.#matches += step.matches;
    this.#range = { after: this.#range.after, before: step.reached };
    this.#rowsLeft -= step.looked * cost;
    if (this.isFull) this.#rowsLeft = Math.min(this.#rowsLeft, this.#goal.rowsToCount);
  }

  #cursor(): string {
    if (this.isFull) return String(this.#ids.at(-1));
    const left = this.#goal.skip - this.#matches;
    return left > 0 ? `${this.#range.before}.${left}` : String(this.#range.before);
  }
}
