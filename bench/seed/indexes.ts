import type { Installation } from '../installation.ts';

interface Index {
  readonly name: string;
  readonly definition: string;
}

/**
 * Drops the indexes of tables, runs statements that fill the tables, and builds the indexes again: several times
 * faster.
 */
export async function withoutIndexes(
  installation: Installation,
  tables: readonly string[],
  statements: readonly string[],
): Promise<void> {
  const names = tables.map((table) => `'${table}'`).join(', ');
  const indexes = await installation.query<Index>(
    installation.engine === 'sqlite'
      ? `select name, sql as definition from sqlite_master where type = 'index' and sql is not null and tbl_name in (${names})`
      : `select c.relname as name, pg_get_indexdef(x.indexrelid) as definition
         from pg_index x join pg_class c on c.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
         where t.relnamespace = current_schema()::regnamespace and t.relname in (${names}) and not x.indisunique`,
  );
  const setup =
    installation.engine === 'sqlite'
      ? []
      : ["set maintenance_work_mem = '256MB'", 'set max_parallel_maintenance_workers = 0'];
  await installation.execute([
    ...setup,
    ...indexes.map(({ name }) => `drop index ${name}`),
    ...statements,
    ...indexes.map(({ definition }) => definition),
    // Autovacuum would do this after so many writes.
    ...(installation.engine === 'sqlite' ? [] : tables.map((table) => `vacuum analyze ${table}`)),
  ]);
}
