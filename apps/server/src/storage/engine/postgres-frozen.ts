import { Client, type QueryResult } from 'pg';
import type { Value } from '../backup/format.ts';
import { type Filling, type Frozen, inPages } from './frozen.ts';
import { connectionOptions, numberTypes } from './postgres-options.ts';

interface Place {
  readonly url: string;
  readonly schema: string;
}

/** Rows that are asked for at a time. */
const fetched = 200;

/** Freezes a database: what it reads is of one moment, and it keeps nobody from writing. */
export async function freezePostgres(place: Place): Promise<Frozen> {
  const client = await connect(place);
  await client.query('begin isolation level repeatable read read only');
  return {
    ...whatThereIs(client, place.schema),
    pages: async function* (table, columns) {
      await client.query(`declare all_rows no scroll cursor for select ${columns.join(', ')} from ${table}`);
      for (;;) {
        const { rows } = await client.query({ text: `fetch ${fetched} from all_rows`, rowMode: 'array' });
        yield* inPages(rows as Value[][]);
        if (rows.length < fetched) break;
      }
      await client.query('close all_rows');
    },
    close: () => client.end(),
  };
}

/** Begins to fill a database; changes of servers that use it wait until it is done. */
export async function fillPostgres(place: Place): Promise<Filling> {
  const client = await connect(place);
  await client.query('begin');
  const finish = async (statement: 'commit' | 'rollback') => {
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const filled = new Set<string>();
  return {
    ...whatThereIs(client, place.schema),
    isEmpty: async (table) => {
      await client.query(`lock table ${table} in exclusive mode`);
      return (await client.query(`select 1 from ${table} limit 1`)).rowCount === 0;
    },
    clear: async (table) => void (await client.query(`delete from ${table}`)),
    insert: async (table, columns, rows) => {
      filled.add(table);
      const names = columns.join(', ');
      const objects = rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
      await client.query(
        `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(objects)],
      );
    },
    commit: async () => {
      for (const table of filled) await goOnAfter(client, place.schema, table);
      await finish('commit');
    },
    abandon: () => finish('rollback'),
  };
}

async function connect({ url, schema }: Place): Promise<Client> {
  const options = connectionOptions({ url, schema });
  // A table of a year's events takes as long as it takes.
  const patient = `${options.options} -c statement_timeout=0 -c idle_in_transaction_session_timeout=0`;
  const client = new Client({ ...options, options: patient, query_timeout: 0, types: numberTypes });
  await client.connect();
  return client;
}

function whatThereIs(client: Client, schema: string): Pick<Frozen, 'migrations' | 'columns'> {
  const names = ({ rows }: QueryResult<{ name: string }>) => rows.map(({ name }) => name);
  return {
    migrations: async () => names(await client.query('select name from schema_migrations order by name')),
    columns: async (table) =>
      names(
        await client.query(
          `select column_name as name from information_schema.columns
           where table_schema = $1 and table_name = $2 order by ordinal_position`,
          [schema, table],
        ),
      ),
  };
}

/** Lets the numbers that a table gives out go on after those that were inserted. */
async function goOnAfter(client: Client, schema: string, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = $1 and table_name = $2 and is_identity = 'YES'`,
    [schema, table],
  );
  for (const { name } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence('${table}', '${name}'), max(${name})) from ${table} having count(*) > 0`,
    );
  }
}
