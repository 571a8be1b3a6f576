import type { QueryResult } from 'kysely';
import type { Appended, BulkRow, BulkTable, Inside, Thing } from './engine.ts';
import { type OpenWork, partOf, type Session } from './group-commit.ts';
import { kyselyOver, type Route } from './kysely-over.ts';
import { type Asker, Together } from './together.ts';
import { isReading, Watch } from './watch.ts';

/** What an engine does on a connection with an open transaction. Each sends what it is given before it waits for anything. */
export interface Wire extends Omit<Session, 'open'> {
  readonly engine: Route['engine'];
  readonly seal: Route['seal'];
  run(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>>;
  /** Answers how many rows were inserted. */
  insertMany(into: BulkTable, rows: readonly BulkRow[]): Promise<number>;
  append: Inside['append'];
}

/** A {@link Session} in which what pieces of work beside each other ask for at the same time is asked for once. */
export function sessionOver(wire: Wire): Session {
  const { engine, seal } = wire;
  const together = new Together<Inside>({ db: kyselyOver(engine, seal, wire.run), append: wire.append }, 'all fail');
  const session: Omit<Session, 'open'> = {
    defer: (...statements) => {
      together.flush();
      wire.defer(...statements);
    },
    exec: (...statements) => {
      together.flush();
      return wire.exec(...statements);
    },
    abandon: () => {
      // What was asked for belongs to the transaction, and must not come after its end.
      together.flush();
      return wire.abandon();
    },
  };
  /** Keeps what is not shared behind what was asked for before it, where that matters. */
  const unshared = <T>(reads: boolean, ask: () => Promise<T>): Promise<T> => {
    if (!reads || together.writes) together.flush();
    return ask();
  };
  const open = (about?: Thing): OpenWork => {
    const watch = new Watch(about);
    const by: Asker = { last: 0 };
    let changedRows = 0;
    const counted = async (changed: Promise<number>) => {
      const count = await changed;
      changedRows += count;
      return count;
    };
    const transaction: OpenWork['transaction'] = {
      db: kyselyOver(
        engine,
        seal,
        async (sql, parameters, touches) => {
          const ask = () => unshared(isReading(sql), () => wire.run(sql, parameters));
          const result = await watch.statement(sql, touches, ask);
          changedRows += Number(result.numAffectedRows ?? 0);
          return result;
        },
        {
          reading: (shared, item, like) => watch.reading(() => together.ask({ shared, item, like, by })),
          writing: (shared, item, like, touches) =>
            counted(watch.writing(touches, () => together.ask({ shared, item, like, by, writes: true }))),
        },
      ),
      changedRows: () => changedRows,
      insertMany: async (into, rows) => {
        if (rows.length === 0) return;
        await counted(watch.inserting(into, rows, () => unshared(false, () => wire.insertMany(into, rows))));
      },
      append: async (counter, into, rows, now): Promise<Appended> => {
        changedRows += rows.length;
        return watch.writing('sums', () => unshared(false, () => wire.append(counter, into, rows, now)));
      },
      together: (shared, item) =>
        watch.writing('sums', () => together.ask({ shared, item, like: '', by, writes: true })),
      part: (work) => watch.part(() => partOf(session, watch, work)),
    };
    return { transaction, watch };
  };
  return { ...session, open };
}
