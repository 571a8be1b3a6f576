import { expect, it } from 'vitest';
import { createKeyedMutex, createMutex } from './mutex.ts';

/** Creates work that ends when the test says so, and tells whether it has begun. */
function givenWork() {
  const end = Promise.withResolvers<string>();
  const work = { hasBegun: false, ...end };
  const run = () => {
    work.hasBegun = true;
    return end.promise;
  };
  return { work, run };
}

it('runs work one after the other, and tells a failure to its caller only', async () => {
  const exclusively = createMutex();
  const [first, second] = [givenWork(), givenWork()];
  const turns = [exclusively(first.run), exclusively(second.run)];
  await new Promise(setImmediate);
  expect([first.work.hasBegun, second.work.hasBegun]).toEqual([true, false]);
  first.work.reject(new Error('failed'));
  await expect(turns[0]).rejects.toThrow('failed');
  second.work.resolve('done');
  expect(await turns[1]).toBe('done');
});

it('runs work with different keys at the same time', async () => {
  const exclusively = createKeyedMutex();
  const [a, b, again] = [givenWork(), givenWork(), givenWork()];
  const turns = [exclusively('a', a.run), exclusively('b', b.run), exclusively('a', again.run)];
  await new Promise(setImmediate);
  expect([a, b, again].map(({ work }) => work.hasBegun)).toEqual([true, true, false]);
  for (const { work } of [a, b, again]) work.resolve('done');
  expect(await Promise.all(turns)).toEqual(['done', 'done', 'done']);
});
