import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';

const namedAfter = 3;
const mostNames = 200;
const mostSeen = 2000;

/**
 * Gives statements that come again and again a name, under which each connection plans them only once: planning
 * costs several times what most of ours take to run. Searches build statements of many shapes, of which every
 * connection would keep a plan, so there are only so many names.
 */
export class StatementNames {
  readonly #uses = new Map<string, number>();
  readonly #names = new Map<string, string>();

  /** The statement as the driver takes it. */
  named(text: string, values: unknown[]): QueryConfig {
    const name = this.#names.get(text) ?? this.#nameOften(text);
    return name === undefined ? { text, values } : { name, text, values };
  }

  #nameOften(text: string): string | undefined {
    if (this.#names.size >= mostNames || selectsWhateverColumns.test(text)) return undefined;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < namedAfter) {
      if (this.#uses.size >= mostSeen) this.#uses.clear();
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    // The same name in every process, so that a pooler in between can share the plan.
    const name = `yardarm_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
    this.#names.set(text, name);
    return name;
  }
}

/** A plan of `select *` is refused once a newer process has added a column. */
const selectsWhateverColumns = /select (\w+\.|"\w+"\.)?\* from (?!unnest)/i;
