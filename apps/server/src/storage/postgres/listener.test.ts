import { describe, expect, it } from 'vitest';
import { newId } from '#kernel/ids.ts';
import { queryPostgres } from '#testing/postgres.ts';
import { engine } from '#testing/server.ts';
import { type Topic, topics } from '../engine.ts';
import { listenForever } from './listener.ts';

describe.runIf(engine === 'postgres')('a connection for notifications that breaks', () => {
  it('is made again, and then all topics are looked at', async () => {
    const url = process.env['DATABASE_URL'] as string;
    const notified: (readonly Topic[])[] = [];
    const errors: Error[] = [];
    const name = newId();
    const stop = listenForever(
      { url, schema: 'public', poolMax: 1, onError: (error) => errors.push(error) },
      { name, self: newId() },
      (named) => notified.push(named),
    );
    const connections = () => notified.filter((named) => named.length === topics.length).length;
    await expect.poll(connections).toBe(1);
    await queryPostgres(url, 'public', (query) =>
      query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%${name}%'`),
    );
    await expect.poll(connections).toBe(2);
    expect(errors.length).toBeGreaterThan(0);
    await stop();
  });
});
