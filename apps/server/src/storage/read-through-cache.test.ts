import { beforeEach, describe, expect, it } from 'vitest';
import { addRecorded, author, useDatabase } from '#testing/database.ts';
import { ReadThroughCache } from './read-through-cache.ts';

describe('a value of a read-through cache', () => {
  const given = useDatabase();
  let loads: string[];
  /** Loads a value for the cache. A test may replace this function to delay a lookup. */
  let load: (key: string) => Promise<string | undefined>;
  let kept: ReadThroughCache<string>;
  const change = (type: 'signal-endpoint-created' | 'project-created' = 'signal-endpoint-created') =>
    given().database.write(author, async (tx) => tx.record({ type }));

  beforeEach(() => {
    loads = [];
    load = async (key) => `value of ${key}`;
    const find = (key: string) => {
      loads.push(key);
      return load(key);
    };
    kept = new ReadThroughCache(given().database.feed, ({ type }) => type.startsWith('signal-endpoint'), find, 2);
  });

  it('is kept until an event concerns it', async () => {
    expect(await kept.get('a')).toBe('value of a');
    expect(await kept.get('a')).toBe('value of a');
    expect(kept.peek('a')).toBe('value of a');
    await change('project-created');
    expect(kept.peek('a')).toBe('value of a');
    expect(loads).toEqual(['a']);
    await change();
    expect(kept.peek('a')).toBeUndefined();
    await kept.get('a');
    expect(loads).toEqual(['a', 'a']);
  });

  it('is not kept when it was read before a change and came after it', async () => {
    const answers: ((value: string) => void)[] = [];
    load = () => new Promise((resolve) => answers.push(resolve));
    const old = kept.get('a');
    await change();
    answers.shift()?.('old');
    expect(await old).toBe('old');
    expect(kept.peek('a')).toBeUndefined();
    const fresh = kept.get('a');
    answers.shift()?.('new');
    expect(await fresh).toBe('new');
    expect(kept.peek('a')).toBe('new');
  });

  it('is looked up again while it was not found', async () => {
    load = async () => undefined;
    expect(await kept.get('a')).toBeUndefined();
    load = async () => 'created meanwhile';
    expect(await kept.get('a')).toBe('created meanwhile');
  });

  it('gives way, the oldest first, when there is too much of it', async () => {
    for (const key of ['a', 'b', 'c']) await kept.get(key);
    expect(['a', 'b', 'c'].map((key) => kept.peek(key))).toEqual([undefined, 'value of b', 'value of c']);
  });

  it('is not kept when looking it up failed', async () => {
    load = () => Promise.reject(new Error('away'));
    await expect(kept.get('a')).rejects.toThrow('away');
    load = async () => 'back';
    expect(await kept.get('a')).toBe('back');
  });

  it('is fresh as soon as the change that made it stale resolves', async () => {
    const { database } = given();
    load = async (key) => {
      const row = await database.db
        .selectFrom('signal_endpoints')
        .select('name')
        .where('name', '=', key)
        .executeTakeFirst();
      return row?.name ?? 'none';
    };
    expect(await kept.get('fresh')).toBe('none');
    await database.write(author, addRecorded('fresh'));
    expect(await kept.get('fresh')).toBe('fresh');
  });
});
