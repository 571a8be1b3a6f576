import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { sql } from '../../apps/server/src/storage/tx.ts';
import { givenFlag } from '../../apps/server/testing/flags.ts';
import { createStorage, engine, startServer, type TestStorage } from '../../apps/server/testing/server.ts';
import { needing } from '../machine/needing.ts';
import { type Program, startProgram } from '../programs/program.ts';

describe.runIf(engine === 'postgres')('PgBouncer between a server and PostgreSQL', needing('pgbouncer'), () => {
  let storage: TestStorage | undefined;
  let pooler: Program | undefined;
  afterEach(async () => {
    await pooler?.stop();
    await storage?.remove();
  });

  /** Starts PgBouncer, and returns a storage behind it. */
  async function givenPooler(settings: Readonly<Record<string, string>>): Promise<TestStorage> {
    storage = await createStorage();
    const url = new URL(storage.settings.databaseUrl ?? '');
    const server = `host=${url.hostname} port=${url.port} user=${url.username} password=${url.password}`;
    // PgBouncer refuses to run as root.
    const user = process.getuid?.() === 0 ? { user: 'postgres' } : {};
    pooler = await startProgram('/usr/sbin/pgbouncer', ({ port, directory }) => {
      const listening = { listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any' };
      const lines = Object.entries({ ...listening, ...user, ...settings }).map(([name, value]) => `${name} = ${value}`);
      const file = join(directory, 'pgbouncer.ini');
      writeFileSync(file, ['[databases]', `* = ${server}`, '[pgbouncer]', ...lines, ''].join('\n'));
      return [file];
    });
    url.port = String(pooler.port);
    url.password = '';
    return { ...storage, settings: { ...storage.settings, databaseUrl: url.href } };
  }

  const optionsOfConnections = [
    ['refuses', {}],
    ['ignores', { ignore_startup_parameters: 'options' }],
  ] as const;

  it.each(optionsOfConnections)(
    'works with pool_mode = session, also when it %s the options of a connection',
    async (_does, settings) => {
      const server = await startServer(await givenPooler({ pool_mode: 'session', ...settings }));
      const shown = async (name: string) => {
        const { rows } = await sql<Record<string, string>>`show ${sql.raw(name)}`.execute(server.app.database.db);
        return rows[0]?.[name];
      };
      try {
        await givenFlag(server);
        expect(await shown('search_path')).toBe(`"${storage?.settings.databaseSchema}",public`);
        const query = { query: 'nothing' };
        expect((await server.admin.call('GET /api/admin/search/events', { query })).status).toBe(200);
        // A search has a time limit of its own, which ends with it.
        expect(await shown('statement_timeout')).toBe('30s');
      } finally {
        await server.stop();
      }
    },
  );

  it.each(optionsOfConnections)(
    'is refused with pool_mode = transaction, also when it %s the options of a connection',
    async (_does, settings) => {
      const behind = await givenPooler({ pool_mode: 'transaction', ...settings });
      await expect(startServer(behind)).rejects.toThrow('set pool_mode = session');
    },
  );
});
