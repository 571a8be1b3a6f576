import { expect, it } from 'vitest';
import { fewAtATime } from './few-at-a-time.ts';

/** Work that ends when the test says so. */
function held() {
  const started: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
  };
  return { started, work, end: (name: string) => ends.get(name) };
}

it('runs a few at once and lets the others wait in their order', async () => {
  const inTurn = fewAtATime(2);
  const { started, work, end } = held();
  const done = ['a', 'b', 'c', 'd'].map((name) => inTurn(work(name)));
  expect(started).toEqual(['a', 'b']);
  end('b')?.resolve();
  await done[1];
  await Promise.resolve();
  expect(started).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c']) end(name)?.resolve();
  await Promise.all([done[0], done[2]]);
  end('d')?.resolve();
  await Promise.all(done);
  expect(started).toEqual(['a', 'b', 'c', 'd']);
});

it('gives the place of one that failed to the next', async () => {
  const inTurn = fewAtATime(1);
  const { started, work, end } = held();
  const [first, second] = [inTurn(work('a')), inTurn(work('b'))];
  end('a')?.reject(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  await Promise.resolve();
  expect(started).toEqual(['a', 'b']);
  end('b')?.resolve();
  await second;
});
