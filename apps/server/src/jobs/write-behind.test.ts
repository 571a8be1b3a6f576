import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Problem } from '#kernel/errors.ts';
import { WriteBehind } from './write-behind.ts';

const away = () => new Problem('ServiceUnavailableError', 'away');

function collecting(write: (batch: string[]) => Promise<void>) {
  let waiting: string[] = [];
  const errors: unknown[] = [];
  const behind = new WriteBehind<string[]>({
    delayMs: 1000,
    take: () => (waiting.length === 0 ? undefined : waiting.splice(0)),
    write,
    giveBack: (batch) => {
      waiting = [...batch, ...waiting];
    },
    onError: (error) => errors.push(error),
  });
  const note = (item: string) => {
    waiting.push(item);
    behind.wake();
  };
  return { behind, note, errors };
}

describe('write-behind', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('writes the changes within the delay as one batch, and sets no timer while nothing is pending', async () => {
    const written: string[][] = [];
    const { note } = collecting(async (batch) => void written.push(batch));
    expect(vi.getTimerCount()).toBe(0);
    note('a');
    note('b');
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1000);
    expect(written).toEqual([['a', 'b']]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('retries a failed batch with back-off while the database is down', async () => {
    const written: string[][] = [];
    const tries: number[] = [];
    const begin = Date.now();
    const { note, errors } = collecting(async (batch) => {
      tries.push(Date.now() - begin);
      if (tries.length < 4) throw away();
      written.push(batch);
    });
    note('a');
    await vi.advanceTimersByTimeAsync(1000);
    note('b');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(tries).toEqual([1000, 3000, 7000, 15_000]);
    expect(written).toEqual([['a', 'b']]);
    expect(errors).toHaveLength(3);
    note('c');
    await vi.advanceTimersByTimeAsync(1000);
    expect(written).toEqual([['a', 'b'], ['c']]);
  });

  it('drops a batch that fails for another reason, and writes the next', async () => {
    const written: string[][] = [];
    const { note, errors } = collecting(async (batch) => {
      if (batch.includes('bad')) throw new Error('no such column');
      written.push(batch);
    });
    note('bad');
    await vi.advanceTimersByTimeAsync(1000);
    expect(errors).toEqual([new Error('no such column')]);
    expect(vi.getTimerCount()).toBe(0);
    note('good');
    await vi.advanceTimersByTimeAsync(1000);
    expect(written).toEqual([['good']]);
  });

  it('waits at most a minute between retries', async () => {
    let tries = 0;
    const { note, behind } = collecting(async () => {
      tries++;
      throw away();
    });
    note('a');
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(tries).toBeGreaterThan(55);
    await behind.stop();
  });

  it('writes one batch at a time, also with flush()', async () => {
    const order: string[] = [];
    const { note, behind } = collecting(async (batch) => {
      order.push(`begin ${batch.join()}`);
      await new Promise((resolve) => setTimeout(resolve, 500));
      order.push(`end ${batch.join()}`);
    });
    note('a');
    const first = behind.flush();
    await vi.advanceTimersByTimeAsync(1);
    note('b');
    const second = behind.flush();
    await vi.advanceTimersByTimeAsync(2000);
    await Promise.all([first, second]);
    expect(order).toEqual(['begin a', 'end a', 'begin b', 'end b']);
  });

  it('writes the pending batch when it stops, and sets no further timer', async () => {
    const written: string[][] = [];
    const { note, behind } = collecting(async (batch) => void written.push(batch));
    note('a');
    await behind.stop();
    note('b');
    expect(written).toEqual([['a']]);
    expect(vi.getTimerCount()).toBe(0);
  });
});
