import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Grouper, type Outcome } from './grouper.ts';

/** A grouper of numbers whose groups end when the test says so. */
function held(maxItems = 100, patienceMs = 0) {
  const groups: number[][] = [];
  const ends: ((work: (items: readonly number[]) => Outcome<string>[]) => void)[] = [];
  const grouper = new Grouper<number, string>(
    (items) => {
      groups.push([...items]);
      return new Promise((resolve, reject) => {
        ends.push((work) => {
          try {
            resolve(work(items));
          } catch (error) {
            reject(error);
          }
        });
      });
    },
    maxItems,
    { patienceMs },
  );
  return { grouper, groups, end: (work = done) => ends.shift()?.(work) };
}

const done = (items: readonly number[]) => items.map((item): Outcome<string> => ({ ok: true, value: `done ${item}` }));
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('makes one group of what arrives in one turn, and the next of what arrives while it is worked on', async () => {
  const { grouper, groups, end } = held();
  const answers = [1, 2].map((item) => grouper.add(item));
  await turn();
  answers.push(grouper.add(3), grouper.add(4));
  await turn();
  expect(groups).toEqual([[1, 2]]);
  end();
  expect(await Promise.all(answers.slice(0, 2))).toEqual(['done 1', 'done 2']);
  await turn();
  expect(groups).toEqual([
    [1, 2],
    [3, 4],
  ]);
  end();
  expect(await Promise.all(answers)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
});

it('works on a lone item at once', async () => {
  const { grouper, groups, end } = held();
  const answer = grouper.add(1);
  await turn();
  expect(groups).toEqual([[1]]);
  end();
  expect(await answer).toBe('done 1');
});

it('makes no group larger than allowed and keeps the order', async () => {
  const { grouper, groups, end } = held(2);
  const answers = [1, 2, 3, 4, 5].map((item) => grouper.add(item));
  for (let i = 0; i < 3; i++) {
    await turn();
    end();
  }
  await Promise.all(answers);
  expect(groups).toEqual([[1, 2], [3, 4], [5]]);
});

it('gives each item its own outcome', async () => {
  const { grouper, end } = held();
  const answers = Promise.allSettled([grouper.add(1), grouper.add(2)]);
  await turn();
  end(([first]) => [
    { ok: false, error: new Error(`not ${first}`) },
    { ok: true, value: 'fine' },
  ]);
  expect(await answers).toMatchObject([
    { status: 'rejected', reason: { message: 'not 1' } },
    { status: 'fulfilled', value: 'fine' },
  ]);
});

it('fails a whole group with what its work threw, and goes on with the next', async () => {
  const { grouper, end } = held();
  const failed = Promise.allSettled([grouper.add(1), grouper.add(2)]);
  await turn();
  const next = grouper.add(3);
  end(() => {
    throw new Error('away');
  });
  for (const outcome of await failed)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'away' } });
  await turn();
  end();
  expect(await next).toBe('done 3');
});

it('leaves no item without an answer when its work gives too few outcomes', async () => {
  const { grouper, end } = held();
  const answers = Promise.allSettled([grouper.add(1), grouper.add(2)]);
  await turn();
  end(([first]) => done([first ?? 0]));
  expect(await answers).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }]);
});

it('is idle when nothing waits and nothing is worked on', async () => {
  const { grouper, end } = held();
  await grouper.idle();
  const answer = grouper.add(1);
  let idle = false;
  const waiting = grouper.idle().then(() => {
    idle = true;
  });
  await turn();
  expect(idle).toBe(false);
  end();
  await answer;
  await waiting;
  expect(idle).toBe(true);
});

describe('with patience', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Has had `crowd` items in one group, which took 4 ms; they have just been answered. */
  async function afterCrowd(crowd: number, { maxItems = 100, patienceMs = 10 } = {}) {
    const { grouper, groups, end } = held(maxItems, patienceMs);
    let item = 0;
    const add = async (count: number) => {
      const answers = Array.from({ length: count }, () => grouper.add(++item));
      await turn();
      return answers;
    };
    const finish = async () => {
      vi.advanceTimersByTime(4);
      end();
      await turn();
    };
    await add(crowd);
    for (let left = crowd; left > 0; left -= maxItems) await finish();
    groups.length = 0;
    return { add, finish, sizes: () => groups.map((group) => group.length), idle: () => grouper.idle() };
  }

  it('waits for a crowd that was there a moment ago', async () => {
    const { add, finish, sizes, idle } = await afterCrowd(3);
    await add(1);
    await add(1);
    expect(sizes()).toEqual([]);
    await add(1);
    expect(sizes()).toEqual([3]);
    await finish();
    await idle();
  });

  it('waits no longer than two groups take, and not again when it waited in vain', async () => {
    const { add, finish, sizes, idle } = await afterCrowd(3);
    await add(1);
    vi.advanceTimersByTime(7);
    await turn();
    expect(sizes()).toEqual([]);
    vi.advanceTimersByTime(1);
    await turn();
    expect(sizes()).toEqual([1]);
    await add(2);
    await finish();
    expect(sizes()).toEqual([1, 2]);
    await finish();
    await idle();
  });

  it('waits no longer than its patience', async () => {
    const { add, finish, sizes, idle } = await afterCrowd(3, { patienceMs: 2 });
    await add(1);
    vi.advanceTimersByTime(2);
    await turn();
    expect(sizes()).toEqual([1]);
    await finish();
    await idle();
  });

  it('waits for no more than a group may have', async () => {
    const { add, finish, sizes, idle } = await afterCrowd(4, { maxItems: 4 });
    await add(3);
    expect(sizes()).toEqual([]);
    await add(2);
    expect(sizes()).toEqual([4]);
    await finish();
    await add(3);
    expect(sizes()).toEqual([4, 4]);
    await finish();
    await idle();
  });

  it('does not wait for two who take turns', async () => {
    const { add, finish, sizes, idle } = await afterCrowd(2);
    await add(1);
    expect(sizes()).toEqual([1]);
    await finish();
    await idle();
  });

  it('does not wait for a crowd that has gone', async () => {
    const { add, finish, sizes, idle } = await afterCrowd(3);
    vi.advanceTimersByTime(8);
    await add(1);
    expect(sizes()).toEqual([1]);
    await finish();
    await idle();
  });
});
