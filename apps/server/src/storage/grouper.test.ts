import { expect, it } from 'vitest';
import { Grouper, type Outcome } from './grouper.ts';

/** A grouper of numbers whose groups end when the test says so. */
function held(maxItems = 100) {
  const groups: number[][] = [];
  const ends: ((work: (items: readonly number[]) => Outcome<string>[]) => void)[] = [];
  const grouper = new Grouper<number, string>((items) => {
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
  }, maxItems);
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
