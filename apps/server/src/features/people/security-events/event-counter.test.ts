import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { EventCounter, quietWindowMs } from './event-counter.ts';

describe('counted events', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are recorded five seconds after the first occurrence, and once a minute while occurrences follow', async () => {
    const recorded: number[] = [];
    const counter = new EventCounter<string>({
      firstWindowMs: quietWindowMs,
      clock: systemClock,
      record: async (counts) => void recorded.push(counts.reduce((sum, { attempts }) => sum + attempts, 0)),
      onError: (error) => expect.fail(String(error)),
    });
    const second = async () => {
      counter.add({ key: 'a', subject: 'a', address: '' });
      await vi.advanceTimersByTimeAsync(1000);
    };
    for (let n = 0; n < 5; n++) await second();
    expect(recorded).toEqual([5]);
    for (let n = 0; n < 60; n++) await second();
    expect(recorded).toEqual([5, 60]);
    await vi.advanceTimersByTimeAsync(120_000);
    recorded.length = 0;
    for (let n = 0; n < 5; n++) await second();
    expect(recorded).toEqual([5]);
    await counter.stop();
  });
});
