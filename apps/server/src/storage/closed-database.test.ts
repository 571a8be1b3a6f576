import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addRecorded, author, openTestDatabase } from '#testing/database.ts';
import { createStorage, type TestStorage } from '#testing/server.ts';
import type { Database } from './database.ts';

// A request that outlives the shutdown timeout uses the database after it is closed.
describe('a closed database', () => {
  let storage: TestStorage;
  let database: Database;
  beforeAll(async () => {
    storage = await createStorage();
    database = await openTestDatabase(storage);
    await database.close();
  });
  afterAll(() => storage.remove());

  const unavailable = { name: 'ServiceUnavailableError' };

  it('rejects reads with 503', async () => {
    await expect(database.db.selectFrom('signals').select('id').execute()).rejects.toMatchObject(unavailable);
  });

  it('rejects searches with 503', async () => {
    const search = database.beginSearch();
    await expect(search.db.selectFrom('signals').select('id').execute()).rejects.toMatchObject(unavailable);
  });

  it('rejects changes with 503, and does not open a connection', async () => {
    await expect(database.write(author, addRecorded('late'))).rejects.toMatchObject(unavailable);
  });

  it('rejects pings with 503', async () => {
    await expect(database.ping()).rejects.toMatchObject(unavailable);
  });
});
