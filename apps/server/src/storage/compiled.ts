import { type Compilable, type Expression, type Kysely, type OperationNode, ValueNode } from 'kysely';
import type { Touches } from './engine/engine.ts';
import { type Door, emptyKysely, type Route, routeOf } from './engine/kysely-over.ts';
import type { Shared } from './engine/together.ts';
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

/** Which of the given lists names what a statement is about, and the column that tells of each row what it is of. */
export interface About<G extends Given, Row> {
  readonly names: keyof G & string;
  readonly column: keyof Row & string;
}

/**
 * A statement that is built and made into SQL once, and then only asked: where it is about a few rows, to build it costs
 * several times what the database takes to answer. It is built again for lists of another length.
 * `compiled<{ name: string }>().query((db, { name }) => db.selectFrom(…).where('name', '=', name))`
 *
 * Asked several times at the same time with the same values it goes to the database once; and when it is known what it is
 * `about`, also with other names. The rows are the same ones for all who asked, and not to be changed.
 */
export function compiled<G extends Given>() {
  return {
    query<Row>(
      build: (db: Db, places: Places<G>) => Compilable<Row>,
      about?: About<G, Row>,
    ): (db: Db, given: G) => Promise<readonly Readonly<Row>[]> {
      const ask = statementOf<G>(build);
      const shared: Shared<G, Row[], Door> = {
        ask: async ({ db }, asked) => {
          const { rows } = await ask(db, allOf(asked, about?.names));
          return asked.map((given) => rowsOf(rows as Row[], asked.length, given, about));
        },
        goesWith: (asked, another) =>
          about === undefined || namesAmong([...asked, another], about.names) <= longestKept,
      };
      return async (db, given) => {
        const { sharing } = routeOf(db);
        if (sharing === undefined) return (await ask(db, given)).rows as Row[];
        return sharing.reading(shared, given, likenessOf(given, about?.names));
      };
    },
    /**
     * One that changes data, and so is for the inside of a change only. With `touches` a change about one thing may ask it and
     * still run beside others; with `names`, the list of what it changes, together with theirs.
     */
    change(
      build: Build<G>,
      touches?: (given: G) => Touches,
      names?: keyof G & string,
    ): (tx: Pick<Tx, 'db'>, given: G) => Promise<void> {
      const ask = statementOf(build);
      const shared: Shared<G, number, Door> = {
        ask: async ({ db }, asked) => {
          const { numAffectedRows } = await ask(db, allOf(asked, names));
          return asked.map(() => Number(numAffectedRows ?? 0));
        },
        goesWith: (asked, another) => namesAmong([...asked, another], names) <= longestKept,
      };
      return async ({ db }, given) => {
        const { sharing } = routeOf(db);
        if (sharing === undefined || names === undefined) await ask(db, given, touches?.(given));
        else await sharing.writing(shared, given, likenessOf(given, names), touches?.(given));
      };
    },
  };
}

type Build<G extends Given> = (db: Kysely<Tables>, places: Places<G>) => Compilable<unknown>;

/** Lists longer than this come in too many lengths to keep a statement for each. */
const longestKept = 16;

/** What must be the same of those that are asked together: all but the names. */
function likenessOf(given: Given, names: string | undefined): string {
  let likeness = '';
  for (const key in given) if (key !== names) likeness += `${key}=${JSON.stringify(given[key])} `;
  return likeness;
}

function namesIn(given: Given, names: string | undefined): readonly Scalar[] {
  const list = names === undefined ? undefined : given[names];
  return Array.isArray(list) ? list : [];
}

function namesAmong(asked: readonly Given[], names: string | undefined): number {
  return asked.reduce((sum, given) => sum + namesIn(given, names).length, 0);
}

/** What to ask for all of those who ask. Their names fill up to one of a few lengths, so that there are only a few statements. */
function allOf<G extends Given>(asked: readonly G[], names: string | undefined): G {
  const [first] = asked as [G];
  if (asked.length === 1 || names === undefined) return first;
  const all = [...new Set(asked.flatMap((given) => namesIn(given, names)))];
  const length = 2 ** Math.ceil(Math.log2(all.length));
  return { ...first, [names]: [...all, ...Array<Scalar>(length - all.length).fill(all[0] as Scalar)] };
}

function rowsOf<G extends Given, Row>(rows: Row[], askers: number, given: G, about: About<G, Row> | undefined): Row[] {
  if (askers === 1 || about === undefined) return rows;
  const own = new Set<unknown>(namesIn(given, about.names));
  return rows.filter((row) => own.has(row[about.column]));
}

interface Statement {
  readonly sql: string;
  /** Where each parameter comes from, or what it always is. */
  readonly parameters: readonly unknown[];
}

function statementOf<G extends Given>(build: Build<G>) {
  const kept = { sqlite: new Map<string, Statement>(), postgres: new Map<string, Statement>() };
  return (db: Pick<Kysely<Tables>, 'selectFrom'>, given: G, touches?: Touches) => {
    const { engine, execute } = routeOf(db);
    const { sql, parameters } = statementFor(build, kept[engine], engine, given);
    return execute(
      sql,
      parameters.map((one) => (one instanceof Place ? one.in(given) : one)),
      touches,
    );
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
