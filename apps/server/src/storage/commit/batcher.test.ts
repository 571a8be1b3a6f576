import { expect, it } from 'vitest';
import { Batcher, type Outcome } from './batcher.ts';

/** Creates a batcher of numbers whose batches end when the test calls `end`. */
function held(maxItems = 100) {
  const batches: number[][] = [];
  const ends: ((work: (items: readonly number[]) => Outcome<string>[]) => void)[] = [];
  const batcher = new Batcher<number, string>((items) => {
    batches.push([...items]);
    return new Promise((resolve, reject) => {
      ends.push((work) => {
        try {
          resolve(work(items));
        } catch (error) {
          reject(error);
        }
      });
    });
  }, maxItems);
  return { batcher, batches, end: (work = allDone) => ends.shift()?.(work) };
}

const allDone = (items: readonly number[]) =>
  items.map((item): Outcome<string> => ({ ok: true, value: `done ${item}` }));
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

it('batches the items of one turn, and the items that arrive meanwhile form the next batch', async () => {
  const { batcher, batches, end } = held();
  const answers = [1, 2].map((item) => batcher.add(item));
  await turn();
  answers.push(batcher.add(3), batcher.add(4));
  await turn();
  expect(batches).toEqual([[1, 2]]);
  end();
  expect(await Promise.all(answers.slice(0, 2))).toEqual(['done 1', 'done 2']);
  await turn();
  expect(batches).toEqual([
    [1, 2],
    [3, 4],
  ]);
  end();
  expect(await Promise.all(answers)).toEqual(['done 1', 'done 2', 'done 3', 'done 4']);
});

it('processes a lone item at once', async () => {
  const { batcher, batches, end } = held();
  const answer = batcher.add(1);
  await turn();
  expect(batches).toEqual([[1]]);
  end();
  expect(await answer).toBe('done 1');
});

it('keeps the order and the maximum size of a batch', async () => {
  const { batcher, batches, end } = held(2);
  const answers = [1, 2, 3, 4, 5].map((item) => batcher.add(item));
  for (let i = 0; i < 3; i++) {
    await turn();
    end();
  }
  await Promise.all(answers);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});

it('settles each item with its own outcome', async () => {
  const { batcher, end } = held();
  const answers = Promise.allSettled([batcher.add(1), batcher.add(2)]);
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

it('rejects all items of a batch whose processing throws, and goes on with the next batch', async () => {
  const { batcher, end } = held();
  const failed = Promise.allSettled([batcher.add(1), batcher.add(2)]);
  await turn();
  const next = batcher.add(3);
  end(() => {
    throw new Error('away');
  });
  for (const outcome of await failed)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'away' } });
  await turn();
  end();
  expect(await next).toBe('done 3');
});

it('rejects the items without an outcome', async () => {
  const { batcher, end } = held();
  const answers = Promise.allSettled([batcher.add(1), batcher.add(2)]);
  await turn();
  end(([first]) => allDone([first ?? 0]));
  expect(await answers).toMatchObject([{ status: 'fulfilled' }, { status: 'rejected' }]);
});

it('is idle when no item is queued or being processed', async () => {
  const { batcher, end } = held();
  await batcher.idle();
  const answer = batcher.add(1);
  let idle = false;
  const waiting = batcher.idle().then(() => {
    idle = true;
  });
  await turn();
  expect(idle).toBe(false);
  end();
  await answer;
  await waiting;
  expect(idle).toBe(true);
});
