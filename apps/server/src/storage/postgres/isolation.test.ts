import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { addRecorded, author, openTestDatabase } from '#testing/database.ts';
import { queryPostgres } from '#testing/postgres.ts';
import { engine } from '#testing/server.ts';

/** Lets `work` use a database whose transactions have the isolation level by default. */
async function withIsolation(isolation: string, work: (url: string) => Promise<void>): Promise<void> {
  const url = process.env['DATABASE_URL'] as string;
  const name = `isolation_${randomBytes(6).toString('hex')}`;
  await queryPostgres(url, 'public', async (query) => {
    await query(`create database ${name}`);
    try {
      await query(`alter database ${name} set default_transaction_isolation = '${isolation}'`);
      const own = new URL(url);
      own.pathname = `/${name}`;
      await work(own.href);
    } finally {
      await query(`drop database ${name} with (force)`);
    }
  });
}

describe.runIf(engine === 'postgres')(
  'two processes on a database whose transactions see what was when they began',
  () => {
    it.each(['repeatable read', 'serializable'])('both write at once all the same (%s)', (isolation) =>
      withIsolation(isolation, async (databaseUrl) => {
        const storage = { engine, settings: { databaseUrl, databasePoolMax: 5 }, remove: async () => undefined };
        const processes = [await openTestDatabase(storage), await openTestDatabase(storage)];
        try {
          const writes = Array.from({ length: 20 }, (_, n) =>
            processes[n % 2]?.write(author, addRecorded(`from-both-${n}`)),
          );
          expect((await Promise.allSettled(writes)).filter(({ status }) => status === 'rejected')).toEqual([]);
        } finally {
          for (const database of processes) await database.close();
        }
      }),
    );
  },
);
