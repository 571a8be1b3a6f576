import { type Compilable, type Expression, type Kysely, type OperationNode, ValueNode } from 'kysely';
import { backingOf, type Dialect, statementBuilder } from './kysely-connection.ts';
import type { Tables } from './tables.ts';
import type { Db, Tx } from './tx.ts';

type Scalar = string | number | null;

/** Parameters of a prepared query: values, and lists of values. */
export type Parameters = Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** The placeholder of a value in a prepared query. */
export type Value<T> = Expression<T>;

/** The placeholders of all parameters. A list has one placeholder for each of its values. */
export type Placeholders<P extends Parameters> = {
  readonly [K in keyof P]: P[K] extends readonly (infer T)[] ? readonly Value<T>[] : Value<P[K]>;
};

/**
 * Prepares a statement: Kysely builds its SQL once for each combination of list lengths. For statements on a few rows,
 * building the SQL takes several times as long as the database takes to run it.
 * `prepared<{ name: string }>().query((db, { name }) => db.selectFrom(…).where('name', '=', name))`
 */
export function prepared<P extends Parameters>() {
  return {
    /** Prepares a query. */
    query<Row>(
      build: (db: Db, placeholders: Placeholders<P>) => Compilable<Row>,
    ): (db: Db, parameters: P) => Promise<readonly Readonly<Row>[]> {
      const run = statementOf<P>(build);
      return async (db, parameters) => (await run(db, parameters)).rows as Row[];
    },
    /** Prepares a statement that changes rows. */
    change(build: Build<P>): (tx: Pick<Tx, 'db'>, parameters: P) => Promise<void> {
      const run = statementOf(build);
      return async ({ db }, parameters) => void (await run(db, parameters));
    },
    /** Prepares a statement that changes rows and returns the columns that its `returning` clause names. */
    returning<Row>(
      build: (db: Kysely<Tables>, placeholders: Placeholders<P>) => Compilable<Row>,
    ): (tx: Pick<Tx, 'db'>, parameters: P) => Promise<readonly Readonly<Row>[]> {
      const run = statementOf<P>(build);
      return async ({ db }, parameters) => (await run(db, parameters)).rows as Row[];
    },
  };
}

type Build<P extends Parameters> = (db: Kysely<Tables>, placeholders: Placeholders<P>) => Compilable<unknown>;

/** Statements with longer lists are built each time and not kept: there are too many possible lengths. */
const longestKept = 16;

let keepsStatements = true;

/**
 * Sets whether statements are kept from now on, as they are by default. Mutation tests build each anew: they note which
 * test runs which code, and a kept statement is built only in the first test that uses it.
 */
export function keepStatements(keeps: boolean): void {
  keepsStatements = keeps;
}

interface Statement {
  readonly sql: string;
  /** Placeholders, and constants of the statement. */
  readonly parameters: readonly unknown[];
}

function statementOf<P extends Parameters>(build: Build<P>) {
  const kept = { sqlite: new Map<string, Statement>(), postgres: new Map<string, Statement>() };
  return (db: Pick<Kysely<Tables>, 'selectFrom'>, given: P) => {
    const { dialect, execute } = backingOf(db);
    const { sql, parameters } = statementFor(build, kept[dialect], dialect, given);
    return execute(
      sql,
      parameters.map((parameter) => (parameter instanceof Placeholder ? parameter.valueIn(given) : parameter)),
    );
  };
}

function statementFor<P extends Parameters>(
  build: Build<P>,
  kept: Map<string, Statement>,
  dialect: Dialect,
  given: P,
): Statement {
  let lengths = '';
  let longest = 0;
  for (const name in given) {
    const value = given[name];
    if (!Array.isArray(value)) continue;
    lengths += `${value.length} `;
    longest = Math.max(longest, value.length);
  }
  const known = kept.get(lengths);
  if (known !== undefined) return known;
  const { sql, parameters } = build(statementBuilder(dialect), placeholdersFor(given)).compile();
  const statement = { sql, parameters };
  if (keepsStatements && longest <= longestKept) kept.set(lengths, statement);
  return statement;
}

function placeholdersFor<P extends Parameters>(given: P): Placeholders<P> {
  const placeholders = Object.entries(given).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((_, index) => new Placeholder(name, index)) : new Placeholder(name),
  ]);
  return Object.fromEntries(placeholders) as Placeholders<P>;
}

class Placeholder implements Expression<Scalar> {
  readonly #name: string;
  readonly #index: number | undefined;

  constructor(name: string, index?: number) {
    this.#name = name;
    this.#index = index;
  }

  get expressionType(): Scalar | undefined {
    return undefined;
  }

  toOperationNode(): OperationNode {
    return ValueNode.create(this);
  }

  valueIn(given: Parameters): Scalar | undefined {
    const value = given[this.#name];
    return Array.isArray(value) && this.#index !== undefined ? value[this.#index] : (value as Scalar);
  }
}
