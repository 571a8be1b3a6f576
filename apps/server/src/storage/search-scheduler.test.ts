import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SearchScheduler } from './search-scheduler.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

/** Returns a statement that runs until `end` is called. `end` advances the clock by `ms`, the running time. */
function statement() {
  const { promise, resolve } = Promise.withResolvers<void>();
  const started = vi.fn();
  return {
    started,
    run: () => {
      started();
      return promise;
    },
    async end(ms: number) {
      vi.advanceTimersByTime(ms);
      resolve();
      await new Promise(setImmediate);
    },
  };
}

describe('statements of event searches that wait', () => {
  it('run in the order of the time that their searches have used', async () => {
    const scheduler = new SearchScheduler(1);
    const long = scheduler.begin();
    const [first, second, other] = [statement(), statement(), statement()];
    void long.run(first.run);
    void long.run(second.run);
    void scheduler.begin().run(other.run);
    await first.end(10);
    expect(other.started).toHaveBeenCalledOnce();
    expect(second.started).not.toHaveBeenCalled();
    await other.end(1);
    expect(second.started).toHaveBeenCalledOnce();
  });

  it('run within a bounded time although new searches keep coming', async () => {
    const scheduler = new SearchScheduler(1);
    const long = scheduler.begin();
    const [first, second] = [statement(), statement()];
    void long.run(first.run);
    void long.run(second.run);
    let newest = statement();
    void scheduler.begin().run(newest.run);
    await first.end(10);
    for (let count = 0; count < 20 && second.started.mock.calls.length === 0; count++) {
      const next = statement();
      void scheduler.begin().run(next.run);
      await newest.end(10);
      newest = next;
    }
    expect(second.started).toHaveBeenCalledOnce();
  });
});
