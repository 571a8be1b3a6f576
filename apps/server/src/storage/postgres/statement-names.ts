import { createHash } from 'node:crypto';
import type { QueryConfig } from 'pg';
import { BoundedMap } from '#kernel/bounded-map.ts';

const usesBeforeNamed = 3;
const maxNames = 200;

/**
 * Names statements that are used repeatedly, so that each connection plans them once (prepared statements): planning
 * takes several times as long as running most of our statements. The number of names is limited, because searches build
 * many different statements and each connection keeps a plan for each name.
 */
export class StatementNames {
  readonly #uses = new BoundedMap<string, number>(2000);
  readonly #names = new Map<string, string>();

  /** Returns the statement for the driver, with a name when it has been used often enough. */
  named(text: string, values: unknown[]): QueryConfig {
    const name = this.#names.get(text) ?? this.#nameAfterUses(text);
    return name === undefined ? { text, values } : { name, text, values };
  }

  #nameAfterUses(text: string): string | undefined {
    if (this.#names.size >= maxNames || selectsAllColumns.test(text)) return undefined;
    const uses = (this.#uses.get(text) ?? 0) + 1;
    if (uses < usesBeforeNamed) {
      this.#uses.set(text, uses);
      return undefined;
    }
    this.#uses.delete(text);
    // The same name in every process, so that a connection pooler can share the plan.
    const name = `yardarm_${createHash('sha256').update(text).digest('base64url').slice(0, 22)}`;
    this.#names.set(text, name);
    return name;
  }
}

/** PostgreSQL refuses the plan of a statement with `*` after a newer process has added a column. */
const selectsAllColumns = /(select|returning|,) (\w+\.|"\w+"\.)?\*(?! from unnest)/i;
