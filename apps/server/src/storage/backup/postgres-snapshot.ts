import { Client, type QueryResult } from 'pg';
import { asUnusable } from '../driver-errors.ts';
import { connectingTo, numberTypes } from '../postgres/connection-options.ts';
import { BackupError, type Value } from './format.ts';
import { type DatabaseSnapshot, inPages, type RestoreTarget } from './snapshot.ts';

interface Place {
  readonly url: string;
  readonly schema: string;
}

/** Rows per fetch from the cursor. */
const fetchSize = 200;

/**
 * Opens a snapshot of a schema. Other processes may write meanwhile. Rejects with a `DatabaseUnusable` when PostgreSQL
 * cannot be reached.
 */
export async function snapshotOfPostgres(place: Place): Promise<DatabaseSnapshot> {
  const client = await connect(place);
  await client.query('begin isolation level repeatable read read only');
  const { rows } = await client.query(
    "select 1 from pg_tables where schemaname = $1 and tablename = 'schema_migrations'",
    [place.schema],
  );
  if (rows.length === 0) {
    await client.end();
    throw new BackupError(`The schema ${place.schema} holds no database.`);
  }
  return {
    ...schemaOf(client, place.schema),
    lastId: async (table) => {
      const sequence = await sequenceOf(client, place.schema, table);
      if (sequence === undefined) return undefined;
      const { rows } = await client.query(`select last_value from ${sequence.name} where is_called`);
      return rows[0]?.last_value;
    },
    pages: async function* (table, columns) {
      await client.query(`declare all_rows no scroll cursor for select ${columns.join(', ')} from ${table}`);
      for (;;) {
        const { rows } = await client.query({ text: `fetch ${fetchSize} from all_rows`, rowMode: 'array' });
        yield* inPages(rows as Value[][]);
        if (rows.length < fetchSize) break;
      }
      await client.query('close all_rows');
    },
    close: () => client.end(),
  };
}

/** Opens a schema for a restore. Servers that use it wait with their changes until the restore ends. */
export async function restoreTargetInPostgres(place: Place): Promise<RestoreTarget> {
  const client = await connect(place);
  await client.query('begin');
  const finish = async (statement: 'commit' | 'rollback') => {
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const lastIds = new Map<string, number>();
  return {
    ...schemaOf(client, place.schema),
    isEmpty: async (table) => {
      await client.query(`lock table ${table} in exclusive mode`);
      return (await client.query(`select 1 from ${table} limit 1`)).rowCount === 0;
    },
    clear: async (table) => void (await client.query(`delete from ${table}`)),
    insert: async (table, columns, rows) => {
      if (!lastIds.has(table)) lastIds.set(table, 0);
      const names = columns.join(', ');
      const objects = rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])));
      await client.query(
        `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(objects)],
      );
    },
    continueAfter: async (table, id) => void lastIds.set(table, id),
    commit: async () => {
      for (const [table, lastId] of lastIds) await advanceIdentity(client, place.schema, table, lastId);
      await finish('commit');
    },
    abandon: () => finish('rollback'),
  };
}

async function connect(place: Place): Promise<Client> {
  // Reading a table with events of a year may take long.
  const withoutLimits = { statement_timeout: '0', idle_in_transaction_session_timeout: '0' };
  const { config, prepare } = connectingTo(place, withoutLimits);
  const client = new Client({ ...config, query_timeout: 0, types: numberTypes });
  await client.connect().catch((error) => {
    throw asUnusable(error, place.url);
  });
  try {
    await prepare(client);
  } catch (error) {
    await client.end();
    throw error;
  }
  return client;
}

function schemaOf(client: Client, schema: string): Pick<DatabaseSnapshot, 'migrations' | 'columns'> {
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

/** Advances the sequence of a table beyond the inserted values and beyond `lastId`. */
async function advanceIdentity(client: Client, schema: string, table: string, lastId: number): Promise<void> {
  const sequence = await sequenceOf(client, schema, table);
  if (sequence === undefined) return;
  await client.query(
    `select setval('${sequence.name}', last) from (select greatest(max(${sequence.column}), $1::bigint) as last from ${table}) ids
     where last > 0`,
    [lastId],
  );
}

/** Returns the sequence of the identity column of a table; undefined when there is none. */
async function sequenceOf(
  client: Client,
  schema: string,
  table: string,
): Promise<{ readonly name: string; readonly column: string } | undefined> {
  const { rows } = await client.query<{ name: string; column: string }>(
    `select pg_get_serial_sequence($2::text, column_name) as name, column_name as column from information_schema.columns
     where table_schema = $1 and table_name = $2 and is_identity = 'YES'`,
    [schema, table],
  );
  return rows[0];
}

/** Adds a due job for the servers of a schema. */
export async function enqueueInPostgres(place: Place, kind: string, payload: object): Promise<void> {
  const client = await connect(place);
  try {
    await client.query('insert into jobs (kind, payload, run_at, attempts) values ($1, $2, 0, 0)', [
      kind,
      JSON.stringify(payload),
    ]);
  } finally {
    await client.end();
  }
}
