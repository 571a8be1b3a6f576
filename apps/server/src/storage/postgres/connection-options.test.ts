import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { givenFlag } from '#testing/flags.ts';
import { queryPostgres } from '#testing/postgres.ts';
import { engine, startServer } from '#testing/server.ts';
import { sql } from '../tx.ts';

describe.runIf(engine === 'postgres')('the database that DATABASE_URL and DATABASE_SCHEMA name', () => {
  const databaseUrl = process.env['DATABASE_URL'] as string;

  it('may have blanks, quotes and backslashes in the name of the schema', async () => {
    const databaseSchema = `test "q" \\ 'a' ${randomBytes(6).toString('hex')}`;
    const quoted = `"${databaseSchema.replaceAll('"', '""')}"`;
    const server = await startServer({
      engine,
      settings: { databaseUrl, databaseSchema, databasePoolMax: 5 },
      remove: async () => undefined,
    });
    try {
      const { featureName } = await givenFlag(server);
      await queryPostgres(databaseUrl, 'public', async (query) => {
        expect(await query(`select name from ${quoted}.features`)).toEqual([{ name: featureName }]);
      });
    } finally {
      await server.stop();
      await queryPostgres(databaseUrl, 'public', (query) => query(`drop schema ${quoted} cascade`));
    }
  });

  it('may set what the server takes, which does not move it to another schema', async () => {
    const databaseSchema = `test_${randomBytes(6).toString('hex')}`;
    const url = new URL(databaseUrl);
    url.searchParams.set('options', '-c statement_timeout=12345 -c search_path=public');
    const server = await startServer({
      engine,
      settings: { databaseUrl: url.href, databaseSchema, databasePoolMax: 5 },
      remove: async () => undefined,
    });
    const shown = async (name: string) => {
      const { rows } = await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(server.app.database.db);
      return rows[0]?.[name];
    };
    try {
      expect(await shown('statement_timeout')).toBe('12345ms');
      expect(await shown('lock_timeout')).toBe('5s');
      expect(await shown('search_path')).toBe(`"${databaseSchema}",public`);
      expect(await shown('default_transaction_isolation')).toBe('read committed');
    } finally {
      await server.stop();
      await queryPostgres(databaseUrl, 'public', (query) => query(`drop schema ${databaseSchema} cascade`));
    }
  });
});
