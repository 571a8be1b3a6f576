import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DatabaseClosed } from '../driver-errors.ts';
import { SqliteConnection } from './connection.ts';
import { SqliteReaders } from './reader-pool.ts';

let directory: string;
let path: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'yardarm-readers-'));
  path = join(directory, 'database.sqlite');
  await (await SqliteConnection.open(path, 'writer')).close();
});
afterEach(() => rm(directory, { recursive: true }));

const slow = `with recursive n (i) as (select 1 union all select i + 1 from n where i < 200000) select count(*) as rows from n`;

it('runs the statements sent before close, and rejects statements during and after close without a new thread', async () => {
  const readers = await SqliteReaders.open(path, 4);
  const before = readers.run(slow, []);
  const closed = readers.close();
  // The second statement is sent during close, as the next page of a stream would be after its client has disconnected.
  const [first, meanwhile] = await Promise.allSettled([before, readers.run(slow, [])]);
  expect(first).toMatchObject({ status: 'fulfilled', value: { rows: [{ rows: 200_000 }] } });
  expect(meanwhile).toMatchObject({ status: 'rejected', reason: new DatabaseClosed() });
  await closed;
  await expect(readers.run(slow, [])).rejects.toThrow('the database is closed');
});
