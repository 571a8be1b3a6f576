import { expect, it } from 'vitest';
import { useDatabase } from '#testing/database.ts';
import { probeCaches } from './loop-probe.ts';

const given = useDatabase();

it('the probe passes caches that read the number that it has written', async () => {
  const { database } = given();
  let kept = 0;
  const keepTimeline = async () => {
    kept = database.feed.probe;
  };
  await probeCaches({ ...database, keepTimeline });
  await probeCaches({ ...database, keepTimeline });
  expect([database.feed.probe, kept]).toEqual([2, 2]);
});

it('the probe fails while the caches read a database without its number', async () => {
  const { database } = given();
  let kept = false;
  const deaf = {
    writeQuietly: database.writeQuietly,
    feed: { catchUp: async () => undefined, probe: 0 },
    keepTimeline: async () => {
      kept = true;
    },
  };
  await expect(probeCaches(deaf)).rejects.toThrow(/the caches read the number 0 of the probe, after \d+ was committed/);
  expect(kept).toBe(false);
});
