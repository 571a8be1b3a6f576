import { expect, it } from 'vitest';
import { useDatabase } from '../../testing/database.ts';
import { probeCaches } from './loop-probe.ts';

const given = useDatabase();

it('the probe passes caches that read the number that it has written', async () => {
  const { database } = given();
  await probeCaches(database);
  await probeCaches(database);
  expect(database.feed.probe).toBe(2);
});

it('the probe fails while the caches read a database without its number', async () => {
  const { database } = given();
  const deaf = { writeQuietly: database.writeQuietly, feed: { catchUp: async () => undefined, probe: 0 } };
  await expect(probeCaches(deaf)).rejects.toThrow(/the caches read the number 0 of the probe, after \d+ was committed/);
});
