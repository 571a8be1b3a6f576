import { allProjects, type TokenScope } from '#features/people/token-scopes/index.ts';

/**
 * Divides a limit among tokens. Tokens of the same projects get at most half of it, so that one project cannot leave
 * the others without metrics. Tokens of all projects get all of it.
 */
export class Share {
  readonly #limit: number;
  readonly #taken: Map<string, number>;
  #total: number;

  /** `taken` is what is taken already, by the id of the scope. */
  constructor(limit: number, taken: Iterable<readonly [string, number]> = []) {
    this.#limit = limit;
    this.#taken = new Map(taken);
    this.#total = [...this.#taken.values()].reduce((sum, count) => sum + count, 0);
  }

  /** Takes one for a scope. Returns false, and takes nothing, when there is none for it. */
  take({ id }: TokenScope): boolean {
    const taken = this.#taken.get(id) ?? 0;
    const most = id === allProjects.id ? this.#limit : Math.ceil(this.#limit / 2);
    if (this.#total >= this.#limit || taken >= most) return false;
    this.#taken.set(id, taken + 1);
    this.#total++;
    return true;
  }
}
