import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { Loop, type LoopOptions } from './loop.ts';

beforeEach(() => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
});

/** Creates a loop whose rounds are counted, and end when the test says so. */
function givenLoop(options: Omit<LoopOptions<number>, 'round' | 'onError'> = {}) {
  const rounds: PromiseWithResolvers<void>[] = [];
  const errors: unknown[] = [];
  const loop = new Loop<number>({
    ...options,
    round: async () => {
      const round = Promise.withResolvers<void>();
      rounds.push(round);
      await round.promise;
      return rounds.length;
    },
    onError: (error) => errors.push(error),
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const end = async () => {
    rounds.at(-1)?.resolve();
    await pass(0);
  };
  const fail = async () => {
    rounds.at(-1)?.reject(new Error('away'));
    await pass(0);
  };
  return { loop, rounds, errors, pass, end, fail };
}

it('ignores wake-ups before the start, and begins at its time', async () => {
  const { loop, rounds, pass } = givenLoop({ firstMs: 500 });
  loop.wake();
  await pass(1000);
  expect(rounds).toHaveLength(0);
  loop.start();
  await pass(499);
  expect(rounds).toHaveLength(0);
  await pass(1);
  expect(rounds).toHaveLength(1);
});

it('runs one round at a time, and one more for all wake-ups meanwhile', async () => {
  const { loop, rounds, pass, end } = givenLoop({ firstMs: 0 });
  loop.start();
  await pass(0);
  loop.wake();
  loop.wake();
  await pass(1000);
  expect(rounds).toHaveLength(1);
  await end();
  expect(rounds).toHaveLength(2);
  await end();
  await pass(1000);
  expect(rounds).toHaveLength(2);
});

it('keeps the earliest of several times, and forgets it with the next round', async () => {
  const { loop, rounds, pass, end } = givenLoop();
  loop.start();
  loop.wake(5000);
  loop.wake(1000);
  loop.wake(3000);
  await pass(1000);
  await end();
  expect(rounds).toHaveLength(1);
  await pass(10_000);
  expect(rounds).toHaveLength(1);
});

it('comes again periodically, or earlier when a round asks for it', async () => {
  const { loop, rounds, pass, end } = givenLoop({ everyMs: 1000 });
  loop.start();
  await pass(1000);
  loop.wake(200);
  await end();
  await pass(200);
  expect(rounds).toHaveLength(2);
  await end();
  await pass(999);
  expect(rounds).toHaveLength(2);
  await pass(1);
  expect(rounds).toHaveLength(3);
});

it('reports a failed round and repeats it after the back-off, unless it is woken before', async () => {
  const { loop, rounds, errors, pass, fail, end } = givenLoop({ firstMs: 0, retryMs: 1000 });
  loop.start();
  await pass(0);
  await fail();
  expect([rounds.length, errors]).toEqual([1, [new Error('away')]]);
  await pass(1000);
  expect(rounds).toHaveLength(2);
  await fail();
  loop.wake();
  await pass(0);
  expect(rounds).toHaveLength(3);
  await end();
  await pass(5000);
  expect(rounds).toHaveLength(3);
});

it('backs off as long as a function says', async () => {
  let failures = 0;
  const { loop, rounds, pass, fail } = givenLoop({ firstMs: 0, retryMs: () => 1000 * 2 ** failures++ });
  loop.start();
  await pass(0);
  await fail();
  await pass(1000);
  await fail();
  await pass(1999);
  expect(rounds).toHaveLength(2);
  await pass(1);
  expect(rounds).toHaveLength(3);
});

it('runs a round for each caller, before the start too, and tells its result unless it failed', async () => {
  const { loop, pass, end, fail } = givenLoop();
  const first = loop.run();
  const second = loop.run();
  const third = loop.run();
  await pass(0);
  await end();
  expect(await first).toBe(1);
  await fail();
  expect(await second).toBeUndefined();
  await end();
  expect(await third).toBe(3);
});

it('settles when no round runs or is requested', async () => {
  const { loop, pass, end } = givenLoop({ firstMs: 0 });
  loop.start();
  await pass(0);
  loop.wake();
  loop.wake(5000);
  let isSettled = false;
  const settling = loop.settle().then(() => {
    isSettled = true;
  });
  await end();
  expect(isSettled).toBe(false);
  await end();
  expect(isSettled).toBe(true);
  await settling;
});

it('finishes the round that runs when it stops, and begins no other', async () => {
  const { loop, rounds, pass, end } = givenLoop({ firstMs: 0, everyMs: 1000 });
  loop.start();
  await pass(0);
  loop.wake();
  let isStopped = false;
  const stopping = loop.stop().then(() => {
    isStopped = true;
  });
  await pass(0);
  expect([isStopped, loop.stopping.aborted]).toEqual([false, true]);
  await end();
  await stopping;
  loop.wake();
  expect(await loop.run()).toBeUndefined();
  await pass(5000);
  expect(rounds).toHaveLength(1);
});
