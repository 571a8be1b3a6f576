import { type Compilable, type Expression, type Kysely, type OperationNode, ValueNode } from 'kysely';
import type { Touches } from './engine/engine.ts';
import { emptyKysely, type Route, routeOf } from './engine/kysely-over.ts';
import type { Tables } from './tables.ts';
import type { Db, Tx } from './tx.ts';

type Scalar = string | number | null;

/** What a statement is asked with: values, and lists of them. */
export type Given = Readonly<Record<string, Scalar | readonly Scalar[]>>;

/** A value to come. */
export type Value<T> = Expression<T>;

/**
 * What stands for the given values while the statement is built. A list has as many places as it was given values; nothing
 * else is known of them, so the statement cannot be made to depend on any.
 */
export type Places<G extends Given> = {
  readonly [K in keyof G]: G[K] extends readonly (infer T)[] ? readonly Value<T>[] : Value<G[K]>;
};

/**
 * A statement that is built and made into SQL once, and then only asked: where it is about a few rows, to build it costs
 * several times what the database takes to answer. It is built again for lists of another length.
 * `compiled<{ name: string }>().query((db, { name }) => db.selectFrom(…).where('name', '=', name))`
 */
export function compiled<G extends Given>() {
  return {
    query<Row>(build: (db: Db, places: Places<G>) => Compilable<Row>): (db: Db, given: G) => Promise<Row[]> {
      const statement = statementOf<G>(build);
      return async (db, given) => (await statement(db, given)) as Row[];
    },
    /**
     * One that changes data, and so is for the inside of a change only. With `touches` a change about one thing may ask it and
     * still run beside others.
     */
    change(build: Build<G>, touches?: (given: G) => Touches): (tx: Tx, given: G) => Promise<void> {
      const statement = statementOf(build);
      return async (tx, given) => {
        await statement(tx.db, given, touches?.(given));
      };
    },
  };
}

type Build<G extends Given> = (db: Kysely<Tables>, places: Places<G>) => Compilable<unknown>;

/** Lists longer than this come in too many lengths to keep a statement for each. */
const longestKept = 16;

interface Statement {
  readonly sql: string;
  /** Where each parameter comes from, or what it always is. */
  readonly parameters: readonly unknown[];
}

function statementOf<G extends Given>(build: Build<G>) {
  const kept = { sqlite: new Map<string, Statement>(), postgres: new Map<string, Statement>() };
  return async (db: Db, given: G, touches?: Touches): Promise<unknown[]> => {
    const { engine, execute } = routeOf(db);
    const { sql, parameters } = statementFor(build, kept[engine], engine, given);
    const result = await execute(
      sql,
      parameters.map((one) => (one instanceof Place ? one.in(given) : one)),
      touches,
    );
    return result.rows;
  };
}

function statementFor<G extends Given>(
  build: Build<G>,
  kept: Map<string, Statement>,
  engine: Route['engine'],
  given: G,
): Statement {
  let shape = '';
  let longest = 0;
  for (const name in given) {
    const value = given[name];
    if (!Array.isArray(value)) continue;
    shape += `${value.length} `;
    longest = Math.max(longest, value.length);
  }
  const known = kept.get(shape);
  if (known !== undefined) return known;
  const { sql, parameters } = build(emptyKysely(engine), placesFor(given)).compile();
  const statement = { sql, parameters };
  if (longest <= longestKept) kept.set(shape, statement);
  return statement;
}

function placesFor<G extends Given>(given: G): Places<G> {
  const places = Object.entries(given).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map((_, index) => new Place(name, index)) : new Place(name),
  ]);
  return Object.fromEntries(places) as Places<G>;
}

/** Stands for a value to come. */
class Place implements Expression<Scalar> {
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

  in(given: Given): Scalar | undefined {
    const value = given[this.#name];
    return Array.isArray(value) && this.#index !== undefined ? value[this.#index] : (value as Scalar);
  }
}
